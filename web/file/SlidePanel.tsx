import { Button } from '@mantine/core';
import { IconFileTypePdf, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import icon from '#ui/icon-button.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { PdfPreview } from './PdfPreview.tsx';
import classes from './SlidePanel.module.css';
import { saveFile } from './save-file.ts';

/** The file in an address of its bytes (contract/file.ts). */
const fileIn = (address: string) => Number(/\/(\d+)\/[^/]*$/.exec(address)?.[1] ?? 0);

interface Props {
  /** What the lesson is called; null: it is not there yet. */
  lessonName: string | null;
  /** Address of its slides; '': none. */
  pptUrl: string;
  onClose: () => void;
}

/** 课件 of a lesson: read in the page, or saved (spec §2). */
export function SlidePanel({ lessonName, pptUrl, onClose }: Props) {
  const [reading, setReading] = useState(false);
  const down = useSend('POST /app/course_file/down_file');
  const name = `${lessonName ?? ''}.pdf`;
  const download = () =>
    down.mutate(
      { fileId: fileIn(pptUrl) },
      {
        onSuccess: ({ filePath, fileName }) => saveFile(filePath, fileName),
        onError: (error) => toast(failureText(error), 'bad'),
      },
    );
  return (
    <section className={classes.panel} aria-label={t('课件')}>
      <div className={classes.head}>
        <p>{pptUrl === '' ? t('暂无课件') : t('课件')}</p>
        <button type="button" className={icon.button} aria-label={t('关闭课件')} onClick={onClose}>
          <IconX size={18} stroke={1.6} aria-hidden />
        </button>
      </div>
      {pptUrl !== '' && (
        <>
          <p className={classes.name}>
            <IconFileTypePdf size={28} stroke={1.4} aria-hidden />
            <span>{name}</span>
          </p>
          <div className={classes.buttons}>
            <Button variant="default" onClick={() => setReading(true)}>
              {t('在线预览')}
            </Button>
            <WaitButton waiting={down.isPending} onClick={download}>
              {t('下载课件')}
            </WaitButton>
          </div>
          <p role="status" className={classes.status}>
            {down.isPending ? t('课件下载中') : ''}
          </p>
        </>
      )}
      {reading && (
        <PdfPreview
          url={pptUrl}
          name={name}
          downWord={t('下载课件')}
          onDownload={download}
          onClose={() => setReading(false)}
        />
      )}
    </section>
  );
}

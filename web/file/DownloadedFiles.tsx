import { IconFileText, IconPhoto } from '@tabler/icons-react';
import { Link } from 'react-router';
import { fileGroup } from '#contract/values/file.ts';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { type Data, failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './DownloadedFiles.module.css';
import { saveFile } from './save-file.ts';

type Files = Data<'GET /app/course_file/downloaded'>['list'];

/** Course files that were downloaded, with their course, to be fetched again. */
export function DownloadedFiles({ list }: { list: Files }) {
  const down = useSend('POST /app/course_file/down_file', { renews: ['GET /app/course_file/downloaded'] });
  const fetch = async (fileId: number) => {
    try {
      const { filePath, fileName } = await down.mutateAsync({ fileId });
      saveFile(filePath, fileName);
    } catch (failure) {
      toast(failureText(failure), 'bad');
    }
  };
  return (
    <ul className={`${rows.rows} ${classes.list}`}>
      {list.map((file) => (
        <li key={file.id} className={classes.row}>
          {file.fileGroup === fileGroup.image ? (
            <IconPhoto size={24} stroke={1.5} aria-hidden />
          ) : (
            <IconFileText size={24} stroke={1.5} aria-hidden />
          )}
          <div className={classes.what}>
            <span className={classes.name}>{file.fileName}</span>
            <span className={rows.facts}>
              <Link to={paths.course(file.packId)}>{file.packageName}</Link>
              <span>{file.fileSizeStr}</span>
              <span>{t('下载于 {time}', { time: formatMoment(file.downloadedAt, serverNow()) })}</span>
              {file.newer && <span className={classes.newer}>{t('有新版本')}</span>}
            </span>
          </div>
          <WaitButton
            variant="default"
            waiting={down.isPending && down.variables?.fileId === file.id}
            aria-label={t('重新下载{name}', { name: file.fileName })}
            onClick={() => void fetch(file.id)}
          >
            {t('重新下载')}
          </WaitButton>
        </li>
      ))}
    </ul>
  );
}

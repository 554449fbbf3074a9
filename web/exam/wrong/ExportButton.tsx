import { Button } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallError } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';

const focusOn = (button: HTMLButtonElement | null) => button?.focus();

/** Saves all that is shown as a spreadsheet, with answers or without. */
export function ExportButton({ onExport }: { onExport: (withAnswers: boolean) => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const [waiting, setWaiting] = useState(false);
  /** The choice was just left, and the keyboard comes back to the button that led to it. */
  const left = useRef(false);
  const leave = () => {
    left.current = true;
    setAsking(false);
  };
  const run = async (withAnswers: boolean) => {
    setWaiting(true);
    try {
      await onExport(withAnswers);
      leave();
    } catch (error) {
      toast(t(error instanceof CallError ? error.msg : '导出失败，请检查网络后重试'), 'bad');
    } finally {
      setWaiting(false);
    }
  };
  if (!asking)
    return (
      <Button
        ref={(button) => {
          if (left.current) button?.focus();
          left.current = false;
        }}
        variant="default"
        onClick={() => setAsking(true)}
        leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
      >
        {t('导出 Excel')}
      </Button>
    );
  return (
    <>
      <WaitButton ref={focusOn} variant="default" waiting={waiting} onClick={() => void run(true)}>
        {t('含答案')}
      </WaitButton>
      <WaitButton variant="default" waiting={waiting} onClick={() => void run(false)}>
        {t('不含答案')}
      </WaitButton>
      <Button variant="subtle" disabled={waiting} onClick={leave}>
        {t('取消')}
      </Button>
    </>
  );
}

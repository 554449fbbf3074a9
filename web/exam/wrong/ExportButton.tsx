import { Button } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useState } from 'react';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallError } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';

/** Saves all that is shown as a spreadsheet, with answers or without. */
export function ExportButton({ onExport }: { onExport: (withAnswers: boolean) => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const run = async (withAnswers: boolean) => {
    setWaiting(true);
    try {
      await onExport(withAnswers);
      setAsking(false);
    } catch (error) {
      toast(t(error instanceof CallError ? error.msg : '导出失败，请检查网络后重试'), 'bad');
    } finally {
      setWaiting(false);
    }
  };
  if (!asking)
    return (
      <Button
        variant="default"
        onClick={() => setAsking(true)}
        leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
      >
        {t('导出 Excel')}
      </Button>
    );
  return (
    <>
      <WaitButton variant="default" waiting={waiting} onClick={() => void run(true)}>
        {t('含答案')}
      </WaitButton>
      <WaitButton variant="default" waiting={waiting} onClick={() => void run(false)}>
        {t('不含答案')}
      </WaitButton>
    </>
  );
}

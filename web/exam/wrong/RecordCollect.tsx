import { IconStar } from '@tabler/icons-react';
import { examToast } from '#ui/toast.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { CollectButton } from './CollectButton.tsx';

/** 收藏 of a question of a record; what of the record is collected is asked for once. */
export default function RecordCollect({ recordId, questionId }: { recordId: number; questionId: number }) {
  const { data } = useCall('GET /app/exam/collected', { recordId });
  if (data === undefined) {
    return (
      <button type="button" disabled>
        <IconStar size={18} aria-hidden />
        {t('收藏')}
      </button>
    );
  }
  const kept = data.list.find((entry) => entry.questionId === questionId);
  return (
    <CollectButton
      key={questionId}
      questionId={questionId}
      collected={kept !== undefined}
      note={kept?.note ?? ''}
      toastFor={examToast}
    />
  );
}

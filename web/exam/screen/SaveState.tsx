import { IconAlertTriangle, IconCheck, IconCloudOff, IconCloudUpload, IconLock } from '@tabler/icons-react';
import { clockTime } from '#web/lib/format.ts';
import { signInNow } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { type ExamState, keptCount, unkeptCount, unsentCount } from '../session/exam-model.ts';
import { FAILURE_LIMIT } from '../session/outbox.ts';
import classes from './ExamBar.module.css';
import { useExamState, useShownRecord } from './ExamContext.ts';

type Kind = 'none' | 'saved' | 'saving' | 'offline' | 'failing' | 'locked';

function kindOf(state: ExamState): Kind {
  if (state.phase === 'takenOver') return 'locked';
  if (!state.online) return 'offline';
  if (unsentCount(state) > 0) return state.failures > 0 || state.signedOut ? 'failing' : 'saving';
  return state.savedAt === null ? 'none' : 'saved';
}

const icons = {
  saved: IconCheck,
  saving: IconCloudUpload,
  offline: IconCloudOff,
  failing: IconAlertTriangle,
  locked: IconLock,
};

/** What is saved and what is not, at any moment: 已保存 10:32:05, 保存中, 离线，已保留 3 题. */
export function SaveState() {
  const { dispatch } = useShownRecord();
  const kind = useExamState(kindOf);
  const unsent = useExamState(unsentCount);
  const kept = useExamState(keptCount);
  const unkept = useExamState(unkeptCount);
  const savedAt = useExamState((state) => state.savedAt);
  const blocked = useExamState((state) => state.failures >= FAILURE_LIMIT);
  const signedOut = useExamState((state) => state.signedOut);
  const signIn = async () => {
    if (await signInNow()) dispatch({ type: 'retryNow' });
  };
  if (kind === 'none') return <span role="status" className={classes.save} />;
  const Icon = icons[kind];
  return (
    <span className={classes.saveBox}>
      <span role="status" className={classes.save} data-kind={kind}>
        <Icon size={16} aria-hidden />
        <span>{words(kind, { unsent, kept, unkept }, savedAt)}</span>
      </span>
      {kind === 'failing' && signedOut && (
        <button type="button" className={classes.retry} onClick={() => void signIn()}>
          {t('登录')}
        </button>
      )}
      {kind === 'failing' && blocked && !signedOut && (
        <button type="button" className={classes.retry} onClick={() => dispatch({ type: 'retryNow' })}>
          {t('重试')}
        </button>
      )}
    </span>
  );
}

interface Counts {
  unsent: number;
  /** Of them, those that were read back from this browser's disk, and those that are certainly not there. */
  kept: number;
  unkept: number;
}

function words(kind: Exclude<Kind, 'none'>, { unsent, kept, unkept }: Counts, savedAt: number | null): string {
  switch (kind) {
    case 'saved':
      return t('已保存 {time}', { time: clockTime(savedAt ?? 0) });
    case 'saving':
      return t('保存中');
    case 'offline':
      if (unkept > 0) return t('离线，{count} 题未能保留', { count: unkept });
      return kept === 0 ? t('离线') : t('离线，已保留 {count} 题', { count: kept });
    case 'failing':
      if (unkept > 0) return t('未保存，{count} 题未能保留', { count: unkept });
      return kept === 0 ? t('未保存 {count} 题', { count: unsent }) : t('未保存，已保留 {count} 题', { count: kept });
    case 'locked':
      if (unkept > 0) return t('只读，{count} 题未能保留', { count: unkept });
      return kept === 0 ? t('只读') : t('只读，已保留 {count} 题', { count: kept });
  }
}

import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#web/lib/t.ts';
import { useExamState, useShownRecord } from './ExamContext.ts';
import classes from './ExamDialogs.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
  display: ReactNode;
  /** Questions under each other: no key moves or marks there. */
  list?: boolean;
}

/** How this screen looks and behaves, and its keys. */
export function KeysDialog({ opened, onClose, display, list = false }: Props) {
  const { dispatch } = useShownRecord();
  const auto = useExamState((state) => state.autoAdvance);
  const reviewing = useExamState((state) => state.phase === 'review');
  const choosing: [string[], string][] = [[['A', '…', 'H'], t('选择选项（1 到 8 也可以）')]];
  const moving: [string[], string][] = [
    [['←', '→'], t('上一题、下一题')],
    [['Enter'], t('下一题')],
    [['M'], t('标记或取消标记')],
    [['L'], t('标为蒙的或取消')],
  ];
  const keys: [string[], string][] = [
    ...(reviewing ? [] : choosing),
    ...(list ? [] : moving),
    [['?'], t('打开这个窗口')],
  ];
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('显示与快捷键')}
      size={480}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      {!reviewing && (
        <label className={classes.switch}>
          <span>
            {t('选择后自动进入下一题')}
            <small>{t('单选题和判断题，选择后 0.5 秒')}</small>
          </span>
          <input
            type="checkbox"
            role="switch"
            aria-checked={auto}
            checked={auto}
            onChange={(event) => dispatch({ type: 'autoAdvance', on: event.currentTarget.checked })}
          />
        </label>
      )}
      {display}
      <div className={classes.pointerOnly}>
        <h3 className={classes.heading}>{t('快捷键')}</h3>
        <dl className={classes.keys}>
          {keys.map(([caps, does]) => (
            <Row key={does} caps={caps} does={does} />
          ))}
        </dl>
      </div>
    </Modal>
  );
}

function Row({ caps, does }: { caps: string[]; does: string }) {
  return (
    <>
      <dt>
        {caps.map((cap) => (
          <kbd key={cap}>{cap}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </>
  );
}

import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#web/lib/t.ts';
import { useExamState, useShownRecord } from './ExamContext.ts';
import classes from './ExamDialogs.module.css';
import { setLetterKeys, useLetterKeys } from './letter-keys.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  display: ReactNode;
  /** Questions under each other: no key moves or marks there. */
  list?: boolean;
}

/** Keys, what they do, and whether they are letters, numbers or marks, which can be turned off. */
type Key = [caps: string[], does: string, ofLetters: boolean];

/** How this screen looks and behaves, and its keys. */
export function KeysDialog({ opened, onClose, display, list = false }: Props) {
  const { dispatch } = useShownRecord();
  const auto = useExamState((state) => state.autoAdvance);
  const reviewing = useExamState((state) => state.phase === 'review');
  const letters = useLetterKeys();
  const atOnce = useExamState((state) => state.showAtOnce);
  const reveals = useExamState((state) => state.record.mayReveal && state.phase === 'open');
  const choosing: Key[] = [
    [['A', '…', 'H'], t('选择选项（1 到 8 也可以）'), true],
    [['↑', '↓'], t('在单选题的选项里：选择上一项、下一项'), false],
    [['Space'], reveals && atOnce ? t('在选项上：选中它，单选题同时显示答案') : t('在选项上：选中它'), false],
  ];
  const moving: Key[] = [
    [['←', '→'], t('上一题、下一题'), false],
    [['Enter'], t('下一题'), false],
    [['M'], t('标记或取消标记'), true],
    [['L'], t('标为蒙的或取消'), true],
  ];
  const keys: Key[] = [
    ...(reviewing ? [] : choosing),
    [['Shift', '←', '→'], t('在过宽的选项里：左右滚动'), false],
    ...(list ? [] : moving),
    [['?'], t('打开这个窗口'), true],
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
        <Switch
          name={t('选择后自动进入下一题')}
          note={t('单选题和判断题，选择后 0.5 秒')}
          on={auto}
          onChange={(on) => dispatch({ type: 'autoAdvance', on })}
          first
        />
      )}
      {reveals && (
        <Switch
          name={t('选择后立即显示答案')}
          note={t('练习里的单选题和判断题：选了就看到对错和解析，不能再改')}
          on={atOnce}
          onChange={(on) => dispatch({ type: 'showAtOnce', on })}
        />
      )}
      {display}
      <div className={classes.pointerOnly}>
        <h3 className={classes.heading}>{t('快捷键')}</h3>
        <Switch
          name={t('字母和数字快捷键')}
          note={t('用语音输入或容易误按时可以关闭，其他按键不受影响')}
          on={letters}
          onChange={setLetterKeys}
          first={reviewing}
        />
        <dl className={classes.keys}>
          {keys
            .filter(([, , ofLetters]) => letters || !ofLetters)
            .map(([caps, does]) => (
              <Row key={does} caps={caps} does={does} />
            ))}
        </dl>
      </div>
    </Modal>
  );
}

interface SwitchProps {
  name: string;
  note: string;
  on: boolean;
  onChange: (on: boolean) => void;
  /** The dialog opens on it. */
  first?: boolean;
}

function Switch({ name, note, on, onChange, first = false }: SwitchProps) {
  return (
    <label className={classes.switch}>
      <span>
        {name}
        <small>{note}</small>
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={on}
        checked={on}
        data-autofocus={first || undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
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

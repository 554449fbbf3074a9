import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import rows from '#ui/rows.module.css';
import { WaitButton } from '#ui/WaitButton.tsx';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './TaskList.module.css';
import { kindIcons, sayKind, sayMinutes, sayTask, taskKeys } from './words.ts';

export type Task = Data<'GET /app/plan/today'>['tasks'][number];

interface Props {
  tasks: readonly Task[];
  /** Several packs are studied: each task says of which it is. */
  named: boolean;
  onBegin: (task: Task) => void;
  /** The task that is being opened. */
  opening: Task | null;
  /** How many tasks were gone when they were pressed: the keyboard goes on to the next one. */
  lost: number;
  /** That its student gives to this day. */
  dayMinutes: number;
}

/** Today's tasks under each other, as one goes through them: the next one is lit, what is done is ticked. */
export function TaskList({ tasks, named, onBegin, opening, lost, dayMinutes }: Props) {
  const next = tasks.find(({ done }) => done === 0);
  const keys = taskKeys(tasks);
  const list = useRef<HTMLOListElement>(null);
  const met = useRef(lost);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list may be drawn anew before or after the count
  useEffect(() => {
    if (met.current === lost || document.activeElement !== document.body) return;
    met.current = lost;
    list.current?.querySelector<HTMLElement>('[data-state="next"] button')?.focus();
  }, [tasks, lost]);
  return (
    <ol ref={list} className={classes.list}>
      {tasks.map((task, at) => {
        const { kind, name, minutes, part, done, doneCount, count, recordId } = task;
        const Icon = kindIcons[kind];
        const state = done === 1 ? 'done' : task === next ? 'next' : 'later';
        const begun = recordId !== null || doneCount > 0;
        const go = begun ? t('继续') : t('开始');
        const said = sayTask(task);
        return (
          <li key={keys[at]} className={classes.task} data-state={state}>
            <span className={classes.sign} aria-hidden>
              {done === 1 ? <IconCheck size={18} stroke={2.4} /> : <Icon size={17} stroke={1.8} />}
            </span>
            <div className={classes.words}>
              <h3 className={classes.name}>
                {said}
                {done === 1 && <span className="unseen">{t('（已完成）')}</span>}
              </h3>
              <p className={`${rows.facts} ${classes.facts}`}>
                {(kind === 'lesson' || kind === 'paper') && <span>{sayKind(kind)}</span>}
                <span>{sayMinutes(minutes)}</span>
                {kind === 'paper' && done === 0 && minutes > dayMinutes && (
                  <span className={classes.long}>{t('比每天的时间长，请留出整块时间')}</span>
                )}
                {part === 1 && kind === 'lesson' && <span>{t('看一部分，改天接着看')}</span>}
                {done === 0 && doneCount > 0 && (
                  <span>{t('已做 {done} / {count} 题', { done: doneCount, count })}</span>
                )}
                {named && <span className={classes.pack}>{task.packName}</span>}
              </p>
            </div>
            {done === 0 && (
              <WaitButton
                waiting={opening === task}
                blocked={opening !== null}
                className={classes.go}
                variant={state === 'next' ? 'filled' : 'subtle'}
                size={state === 'next' ? 'md' : 'sm'}
                aria-label={t('{go}：{task}', { go, task: name === '' ? said : `${sayKind(kind)} ${said}` })}
                onClick={() => onBegin(task)}
              >
                {go}
              </WaitButton>
            )}
          </li>
        );
      })}
    </ol>
  );
}

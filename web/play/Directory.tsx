import {
  IconBook2,
  IconCheck,
  IconChevronDown,
  IconChevronRight,
  IconCircle,
  IconCircleHalf2,
  IconLock,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { leaf, nodeState } from '#contract/values/play.ts';
import { clockText } from '#rules/play/clock-text.ts';
import type { PlayNode } from '#rules/play/directory.ts';
import { t } from '#web/lib/t.ts';
import classes from './Directory.module.css';

interface Props {
  list: readonly PlayNode[];
  /** The courses of the pack in their order: several are named above their chapters. */
  courses: readonly { courseId: number; name: string }[];
  currentId: number | null;
  /** Folders that are open. */
  openIds: ReadonlySet<number>;
  onToggle: (folder: PlayNode, open: boolean) => void;
  onChoose: (lesson: PlayNode) => void;
  /** The tree of an audio course: durations alone, no state. */
  audio?: boolean;
  /** Says which lessons are on trial: to who has not bought. */
  trials?: boolean;
}

type Shared = Omit<Props, 'list' | 'courses'>;

/** The directory of a pack: chapters, sections and lessons, each folder with its own toggle (spec §2). */
export function Directory({ list, courses, ...rest }: Props) {
  const tree = useRef<HTMLDivElement>(null);
  const { currentId } = rest;
  // The lesson that is open is in sight, without moving the page.
  useEffect(() => {
    const row = tree.current?.querySelector<HTMLElement>('[aria-current]');
    const frame = tree.current?.closest<HTMLElement>('[data-scrolls]');
    if (!row || !frame || currentId === null) return;
    const { top, bottom } = row.getBoundingClientRect();
    const outer = frame.getBoundingClientRect();
    if (top < outer.top || bottom > outer.bottom) frame.scrollTop += top - outer.top - outer.height / 3;
  }, [currentId]);
  return (
    <div ref={tree}>
      {courses.map(({ courseId, name }) => (
        <section key={courseId}>
          {courses.length > 1 && <h2 className={classes.course}>{name}</h2>}
          <ul className={classes.tree} aria-label={courses.length > 1 ? name : t('课程目录')}>
            {list
              .filter(({ firstCourseId }) => firstCourseId === courseId)
              .map((node) => (
                <Node key={node.id} node={node} {...rest} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Node({ node, ...rest }: { node: PlayNode } & Shared) {
  if (node.leaf === leaf.playable) return <Lesson node={node} {...rest} />;
  const open = rest.openIds.has(node.id);
  const Arrow = open ? IconChevronDown : IconChevronRight;
  return (
    <li data-level={node.level}>
      <button type="button" className={classes.folder} aria-expanded={open} onClick={() => rest.onToggle(node, !open)}>
        <Arrow size={18} stroke={1.7} aria-hidden />
        <span className={classes.name}>{node.name}</span>
      </button>
      {open && (
        <ul>
          {node.childes.map((child) => (
            <Node key={child.id} node={child} {...rest} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Lesson({ node, currentId, onChoose, audio = false, trials = false }: { node: PlayNode } & Shared) {
  const current = node.id === currentId;
  const locked = node.status === 0;
  const states = {
    [nodeState.notStarted]: [t('未学习'), IconCircle],
    [nodeState.inProgress]: [t('学习中'), IconCircleHalf2],
    [nodeState.finished]: [t('已学完'), IconCheck],
  } as const;
  const [word, Icon] = states[node.nodeState];
  const State = !trials ? Icon : node.kind === 'text' ? IconBook2 : IconPlayerPlay;
  // Who has not joined keeps no place: to them no lesson is begun.
  const state = locked || audio || trials ? null : word;
  // 00:00 while a film is still being prepared (spec §2); a text has no length.
  const time = node.kind !== 'text' || node.duration > 0 ? clockText(node.duration) : null;
  return (
    <li data-level={node.level}>
      <button
        type="button"
        className={classes.lesson}
        aria-current={current || undefined}
        data-state={locked ? 'locked' : node.nodeState}
        onClick={() => onChoose(node)}
      >
        {locked ? <IconLock size={16} stroke={1.7} aria-hidden /> : <State size={16} stroke={1.8} aria-hidden />}
        <span className={classes.words}>
          <span className={classes.name}>
            {!audio && node.certState === 0 && <span className={classes.badge}>{t('选修')}</span>}
            {trials && node.trial && <span className={classes.trial}>{t('试听')}</span>}
            {node.name} {locked && <span className="unseen">{t('未解锁')}</span>}
          </span>
          {(state ?? time) !== null && (
            <span className={classes.meta}>
              {state !== null && <span>{state}</span>}
              {time !== null && <span className={classes.time}>{time}</span>}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}

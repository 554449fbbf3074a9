import { Button } from '@mantine/core';
import { IconChevronRight, IconCircleCheck, IconCircleDashed, IconCircleHalf2 } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { examToast, toast } from '#ui/toast.ts';
import { formatRate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { ChapterMore } from './ChapterMore.tsx';
import classes from './ChapterTree.module.css';

/** A chapter at any level. */
type Chapter = Omit<Data<'GET /app/question/index'>['courses'][number]['chapters'][number], 'childes'> & {
  childes: readonly (Chapter | null)[];
};

interface Props {
  chapters: readonly Chapter[];
  /** Ids of the open chapters. */
  open: ReadonlySet<number>;
  onToggle: (id: number) => void;
}

/** Chapters as a tree: one line each with what is done, how well, and the one thing to do next. */
export function ChapterTree({ chapters, ...rest }: Props) {
  return (
    <ul className={classes.tree}>
      {chapters.map((chapter) => (
        <Branch key={chapter.id} chapter={chapter} depth={0} {...rest} />
      ))}
    </ul>
  );
}

function Branch({ chapter, depth, open, onToggle }: Omit<Props, 'chapters'> & { chapter: Chapter; depth: number }) {
  const childes = chapter.childes.filter((child) => child !== null);
  const isOpen = open.has(chapter.id);
  return (
    <li>
      <div className={classes.line} data-depth={depth} style={{ '--depth': depth } as React.CSSProperties}>
        {childes.length > 0 ? (
          <button type="button" className={classes.name} aria-expanded={isOpen} onClick={() => onToggle(chapter.id)}>
            <IconChevronRight size={18} aria-hidden className={classes.chevron} />
            <span>{chapter.name}</span>
          </button>
        ) : (
          <span className={classes.name}>
            <State chapter={chapter} />
            <span>{chapter.name}</span>
          </span>
        )}
        <Counts chapter={chapter} />
        <div className={classes.ways}>
          <Doing chapter={chapter} />
          {chapter.totalQuestion > 0 && <ChapterMore chapter={chapter} />}
        </div>
      </div>
      {isOpen && childes.length > 0 && (
        <ul>
          {childes.map((child) => (
            <Branch key={child.id} chapter={child} depth={depth + 1} open={open} onToggle={onToggle} />
          ))}
        </ul>
      )}
    </li>
  );
}

const states = [
  { Icon: IconCircleDashed, word: msg('未开始') },
  { Icon: IconCircleHalf2, word: msg('进行中') },
  { Icon: IconCircleCheck, word: msg('已完成') },
] as const;

function State({ chapter }: { chapter: Chapter }) {
  const { Icon, word } = states[chapter.lastState as 0 | 1 | 2] ?? states[0];
  return (
    <span className={classes.state} data-state={chapter.lastState} title={t(word)}>
      <Icon size={18} aria-hidden />
      <span className="unseen">{t(word)}</span>
    </span>
  );
}

function Counts({ chapter }: { chapter: Chapter }) {
  return (
    <span className={classes.counts}>
      {chapter.rightRate !== null && <span>{t('正确率 {rate}', { rate: formatRate(chapter.rightRate) })}</span>}
      <span className={classes.done}>
        <span className="unseen">{t('已做')}</span>
        {chapter.doneCount} / {chapter.totalQuestion}
      </span>
    </span>
  );
}

/**
 * Starting, going on, or — at a finished chapter — both ways on (incidents: JianTi #3): 继续 to where one was, which is
 * the result, and 重新开始. A chapter without questions says so (spec §5).
 */
function Doing({ chapter }: { chapter: Chapter }) {
  const navigate = useNavigate();
  const { examId, recordId } = chapter;
  if (chapter.totalQuestion === 0) {
    return (
      <span className={classes.doing}>
        <Button size="xs" variant="default" onClick={() => toast(t('暂无考试题目'), 'plain', examToast)}>
          {t('开始')}
        </Button>
      </span>
    );
  }
  if (examId === null) return <span className={classes.doing} />;
  // The state of a chapter may come from what lies below it; going on needs a record of its own.
  const own = recordId === null ? 0 : chapter.lastState;
  const start = () => navigate(paths.exam(examId, own === 1 && recordId !== null ? { record: recordId } : {}));
  if (own === 2 && recordId !== null) {
    return (
      <span className={classes.doing}>
        <Button size="xs" variant="default" component={Link} to={paths.examResult(recordId)}>
          {t('继续')}
        </Button>
        <Button size="xs" variant="default" onClick={start}>
          {t('重新开始')}
        </Button>
      </span>
    );
  }
  return (
    <span className={classes.doing}>
      <Button size="xs" variant={own === 1 ? 'filled' : 'light'} onClick={start}>
        {own === 1 ? t('继续') : t('开始')}
      </Button>
    </span>
  );
}

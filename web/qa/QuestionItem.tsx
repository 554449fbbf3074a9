import { Button } from '@mantine/core';
import { IconMessageCircle, IconThumbUp, IconTrash, IconUsersPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { qaState, qaType } from '#contract/values/qa.ts';
import { clockText } from '#rules/play/clock-text.ts';
import { Clamped } from '#ui/Clamped.tsx';
import { confirm } from '#ui/confirm.ts';
import { formulaLine } from '#ui/formula-line.ts';
import { RichText } from '#ui/RichText.tsx';
import { plainText } from '#ui/safe-html.ts';
import { toast } from '#ui/toast.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { Face } from '#web/lib/Face.tsx';
import { formatMoment } from '#web/lib/format.ts';
import { ImageThumbs } from '#web/lib/ImageThumbs.tsx';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { orNothing } from '#web/lib/picture-draft.ts';
import { type Data, failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { invalidate, useSend } from '#web/lib/useCall.ts';
import { followUpDraft } from './draft.ts';
import { FollowUpForm } from './FollowUpForm.tsx';
import { MarkedSpans } from './MarkedSpans.tsx';
import classes from './QuestionItem.module.css';
import { platformWord, stateWord, typeWords } from './qa-words.ts';
import { QUESTION_LISTS } from './question-lists.ts';
import { clearReplyTarget, useReplyTarget } from './reply-target.ts';

export type Question = Data<'GET /app/qa/details'>;
type Child = Question['childList'][number];

interface Span {
  from: number;
  to: number;
}

interface Props {
  question: Question;
  /** Parts of its text that were looked for. */
  highlights?: readonly Span[];
  /** The same of its answers. */
  answerHighlights?: readonly { id: number; spans: readonly Span[] }[];
  /** It stands alone on its page: whole, and without a link to itself. */
  alone?: boolean;
  /** What stands below it. */
  children?: ReactNode;
}

/** Lines of a question in a list: of what is longer others would have to scroll over all. */
const LINES = 12;

/** One question with its pictures, answers and follow-ups (spec §2 Question item). */
export function QuestionItem({ question, highlights, answerHighlights = [], alone = false, children }: Props) {
  const { id, feedbackType, state, mine, withheld } = question;
  const owner = useMe().me?.studentId ?? 0;
  const { target, asked, followUp, goOn } = useReplyTarget();
  const article = useRef<HTMLElement>(null);
  useKeptFocus(article, 'li');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was begun before a reload stands open again, once
  useEffect(() => {
    const begun = begunFollowUp(owner, question);
    if (begun !== null) goOn(begun);
  }, []);
  return (
    <article
      ref={article}
      tabIndex={-1}
      className={classes.question}
      aria-label={t('{name} 的提问', { name: question.nickname })}
    >
      <header className={classes.head}>
        <Face url={question.avatarUrl} />
        <div className={classes.who}>
          <b>{mine ? t('我') : question.nickname}</b>
          <Facts of={question} />
        </div>
        {!withheld && (mine || feedbackType === qaType.teaching) && (
          <span className={classes.state} data-waits={state === qaState.waiting || undefined}>
            {t(stateWord(feedbackType, state))}
          </span>
        )}
      </header>
      {feedbackType !== qaType.teaching && <p className={classes.kind}>{t(typeWords[feedbackType])}</p>}
      {highlights ? (
        <p className={classes.text}>
          <MarkedSpans text={question.feedbackDesc} spans={highlights} />
        </p>
      ) : alone ? (
        <p className={classes.text}>{question.feedbackDesc}</p>
      ) : (
        <div className={classes.text}>
          <Clamped text={question.feedbackDesc} lines={LINES} />
        </div>
      )}
      <ImageThumbs images={question} />
      <About question={question} />
      <Held of={question} />
      {withheld && <p className={classes.quiet}>{t('考试中暂不显示这道题的回答，交卷后可以查看。')}</p>}
      {question.waiting && question.promisedAt !== null && mine && (
        <p className={classes.quiet}>
          {/* What waits below an answer is the follow-up: the question itself says that it was answered. */}
          {question.state === qaState.waiting
            ? t('预计 {moment} 前回复', { moment: formatMoment(question.promisedAt, serverNow()) })
            : t('追问预计 {moment} 前回复', { moment: formatMoment(question.promisedAt, serverNow()) })}
        </p>
      )}
      {question.childList.length > 0 && (
        <ul className={classes.childs}>
          {question.childList.map((child) => (
            <Entry
              key={child.id}
              child={child}
              spans={answerHighlights.find((found) => found.id === child.id)?.spans}
              onFollowUp={() => followUp(child.id)}
            >
              {target === child.id && (
                <FollowUpForm parentId={child.id} takesFocus={asked} onClose={clearReplyTarget} />
              )}
            </Entry>
          ))}
        </ul>
      )}
      <footer className={classes.foot}>
        {question.mayFollowUp && (
          <Button variant="subtle" size="compact-sm" onClick={() => followUp(id)}>
            {t('追问')}
          </Button>
        )}
        {feedbackType === qaType.teaching && !mine && <SameQuestion question={question} />}
        {feedbackType === qaType.teaching && !alone && (
          <Link to={paths.qa({ id })} className={classes.link}>
            <IconMessageCircle size={18} stroke={1.6} aria-hidden />
            {question.commentCount === 0 ? t('讨论') : t('讨论（{count}）', { count: question.commentCount })}
          </Link>
        )}
        {question.mayDelete && <DeleteEntry id={id} title={t('删除这个提问？')} />}
      </footer>
      {target === id && <FollowUpForm parentId={id} takesFocus={asked} onClose={clearReplyTarget} />}
      {children}
    </article>
  );
}

/** The entry to which a follow-up was begun and not sent; null: none. */
function begunFollowUp(owner: number, { id, mayFollowUp, childList }: Question): number | null {
  const may = [
    ...(mayFollowUp ? [id] : []),
    ...childList.filter((child) => child.mayFollowUp).map((child) => child.id),
  ];
  return may.find((entry) => orNothing(followUpDraft(owner, entry)) !== null) ?? null;
}

/** When and where something was written (spec §2: time and platform). */
function Facts({ of }: { of: Pick<Child, 'createTime' | 'platform' | 'userName'> }) {
  return (
    <span className={classes.facts}>
      <time>{formatMoment(of.createTime, serverNow())}</time>
      {of.userName === '' && <span>{t(platformWord(of.platform))}</span>}
    </span>
  );
}

/** The lesson at its second, or the exam question, that is asked about. */
function About({ question }: { question: Question }) {
  const { packId, firstVideoId, firstVideoName, position, topic, tags, questionId, recordId } = question;
  if (firstVideoId === null && topic === '' && tags.length === 0) return null;
  return (
    <div className={classes.about}>
      {firstVideoId !== null && (
        <Link to={paths.play(packId, { lesson: firstVideoId, ...(position === null ? {} : { at: position }) })}>
          {position === null ? firstVideoName : `${firstVideoName} ${clockText(position)}`}
        </Link>
      )}
      {topic !== '' && <RichText html={formulaLine(plainText(topic), 80)} className={classes.topic} zoom={false} />}
      {recordId !== null && questionId !== null && (
        <Link to={paths.examReview(recordId, { question: questionId })}>{t('查看这道题')}</Link>
      )}
      {tags.map((tag) => (
        <Link key={tag} to={paths.qa({ tag })} className={classes.tag}>
          #{tag}
        </Link>
      ))}
    </div>
  );
}

/** Why only its author sees something. */
function Held({ of }: { of: Pick<Child, 'held' | 'heldWords' | 'hidden'> }) {
  if (of.held)
    return (
      <p className={classes.held}>
        {t('含有“{words}”，老师放行后其他人才能看到。', { words: of.heldWords.join(t('、')) })}
      </p>
    );
  return of.hidden ? <p className={classes.held}>{t('老师已将它隐藏，只有您自己能看到。')}</p> : null;
}

interface EntryProps {
  child: Child;
  /** Parts of an answer that were looked for. */
  spans?: readonly Span[] | undefined;
  onFollowUp?: () => void;
  children?: ReactNode;
}

/** An answer, a follow-up or a comment. */
export function Entry({ child, spans = [], onFollowUp, children }: EntryProps) {
  const teacher = child.userName !== '';
  return (
    <li className={classes.entry} data-teacher={teacher || undefined} tabIndex={-1}>
      <p className={classes.by}>
        <b>{teacher ? child.userName : child.mine ? t('我') : child.nickname}</b>
        {teacher && <span>{t('老师')}</span>}
        {child.kind === 'followUp' && <span>{t('追问')}</span>}
        {child.replyTo !== '' && <span>{t('回复 {name}', { name: child.replyTo })}</span>}
        <Facts of={child} />
        {child.editedAt !== null && <span>{t('已修改')}</span>}
      </p>
      {teacher ? (
        <p className={classes.text}>
          <MarkedSpans text={child.feedbackDesc} spans={spans} />
        </p>
      ) : (
        <Clamped text={child.feedbackDesc} />
      )}
      <ImageThumbs images={child} />
      <Held of={child} />
      <div className={classes.foot}>
        {child.mayFollowUp && onFollowUp && (
          <Button variant="subtle" size="compact-sm" onClick={onFollowUp}>
            {t('追问')}
          </Button>
        )}
        {child.kind === 'answer' && <Useful answer={child} />}
        {child.kind === 'comment' && child.mine && <DeleteEntry id={child.id} title={t('删除这条评论？')} />}
      </div>
      {children}
    </li>
  );
}

/** 同问: who asks the same is told when a teacher answers. */
function SameQuestion({ question }: { question: Question }) {
  const { flagCount } = question;
  return (
    <Flag of={question} icon={<IconUsersPlus size={18} stroke={1.6} aria-hidden />}>
      {flagCount === 0 ? t('同问') : t('同问（{count}）', { count: flagCount })}
    </Flag>
  );
}

/** 有用: the answer that most find useful is the one that is recommended (docs/decisions/071-useful-answers.md). */
function Useful({ answer }: { answer: Child }) {
  const { flagCount } = answer;
  return (
    <Flag of={answer} icon={<IconThumbUp size={18} stroke={1.6} aria-hidden />}>
      {flagCount === 0 ? t('有用') : t('有用（{count}）', { count: flagCount })}
    </Flag>
  );
}

function Flag({
  of: { id, flag },
  icon,
  children,
}: {
  of: Pick<Child, 'id' | 'flag'>;
  icon: ReactNode;
  children: ReactNode;
}) {
  const client = useQueryClient();
  const save = useSend('POST /app/qa_core/save_flag', { renews: QUESTION_LISTS });
  const remove = useSend('POST /app/qa_core/del_flag', { renews: QUESTION_LISTS });
  const press = async () => {
    try {
      await (flag === 1 ? remove : save).mutateAsync({ id });
    } catch (error) {
      toast(failureText(error), 'bad');
      void invalidate(client, 'GET /app/qa/details');
    }
  };
  return (
    <WaitButton
      variant="subtle"
      size="compact-sm"
      aria-pressed={flag === 1}
      waiting={save.isPending || remove.isPending}
      leftSection={icon}
      onClick={() => void press()}
    >
      {children}
    </WaitButton>
  );
}

function DeleteEntry({ id, title }: { id: number; title: string }) {
  const remove = useSend('POST /app/qa_core/del_entry', { renews: [...QUESTION_LISTS, 'GET /app/qa/comment'] });
  const ask = async () => {
    if (!(await confirm({ title, yes: t('删除'), danger: true }))) return;
    try {
      await remove.mutateAsync({ id });
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      color="gray"
      leftSection={<IconTrash size={18} stroke={1.6} aria-hidden />}
      onClick={() => void ask()}
    >
      {t('删除')}
    </Button>
  );
}

import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router';
import { clockText } from '#rules/play/clock-text.ts';
import { toast } from '#ui/toast.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { ImageThumbs } from '#web/lib/ImageThumbs.tsx';
import { paths } from '#web/lib/paths.ts';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { AnswerEditor } from './AnswerEditor.tsx';
import { CommentReply } from './CommentReply.tsx';
import { HideForm } from './HideForm.tsx';
import { platformWord, typeWords } from './qa-words.ts';
import classes from './TaughtQuestion.module.css';
import { TAUGHT_LISTS, type Taught } from './taught.ts';

type Child = Taught['childList'][number];

/** A question as teachers look at it: its words, who asked, what it is about, and what was said so far. */
export function TaughtQuestion({ question }: { question: Taught }) {
  const { nickname, validPhoneExt, packName, courseName, firstVideoId, firstVideoName, position } = question;
  const [replying, setReplying] = useState<number | null>(null);
  const whole = useRef<HTMLDivElement>(null);
  useKeptFocus(whole, 'li');
  return (
    <div ref={whole} tabIndex={-1}>
      <p className={classes.who}>
        <b>{nickname}</b>
        <span>{validPhoneExt}</span>
        <span>{t(typeWords[question.feedbackType])}</span>
        <span>{formatMoment(question.createTime, serverNow())}</span>
        <span>{t(platformWord(question.platform))}</span>
      </p>
      <p className={classes.text}>{question.feedbackDesc}</p>
      <ImageThumbs images={question} />
      <p className={classes.where}>
        <span>{packName}</span>
        <span>{courseName}</span>
        {firstVideoId !== null && (
          <Link to={paths.teachMedia({ lesson: firstVideoId, ...(position === null ? {} : { at: position }) })}>
            {position === null ? firstVideoName : `${firstVideoName} ${clockText(position)}`}
          </Link>
        )}
        {question.examName !== null && <span>{question.examName}</span>}
        {question.questionNumber !== null && <span>{t('第 {number} 题', { number: question.questionNumber })}</span>}
      </p>
      <div className={classes.tools}>
        <Visibility entry={question} />
      </div>
      {question.childList.length > 0 && (
        <ul className={classes.entries} aria-label={t('回答和追问')}>
          {question.childList.map((child) => (
            <Entry key={child.id} child={child} own={child.kind === 'answer' && child.mine} />
          ))}
        </ul>
      )}
      {question.comments.length > 0 && (
        <details className={classes.comments} open>
          <summary>{t('讨论（{count}）', { count: question.comments.length })}</summary>
          <ul className={classes.entries}>
            {question.comments.map((child) => (
              <Entry key={child.id} child={child} own={false}>
                {mayReply(child) && child.id !== replying && (
                  <Button variant="subtle" size="compact-sm" onClick={() => setReplying(child.id)}>
                    {t('回复')}
                  </Button>
                )}
                {child.id === replying && (
                  <CommentReply id={question.id} parentId={child.id} onDone={() => setReplying(null)} />
                )}
              </Entry>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** What others do not see gets no reply that they would see. */
const mayReply = (child: Child) => !teachesIt(child) && !child.hidden && !child.held;

const teachesIt = ({ userName }: Child) => userName !== '';

function Entry({ child, own, children }: { child: Child; own: boolean; children?: ReactNode }) {
  const [editing, setEditing] = useState(false);
  const teacher = teachesIt(child);
  return (
    <li className={classes.entry} data-teacher={teacher || undefined} tabIndex={-1}>
      <p className={classes.who}>
        <b>{teacher ? child.userName : child.nickname}</b>
        {teacher && <span>{t('老师')}</span>}
        {child.kind === 'followUp' && <span>{t('追问')}</span>}
        <span>{formatMoment(child.createTime, serverNow())}</span>
        {child.replyTo !== '' && <span>{t('回复 {name}', { name: child.replyTo })}</span>}
        {child.editedAt !== null && <span>{t('已修改')}</span>}
        {child.flagCount > 0 && <span>{t('{count} 人觉得有用', { count: child.flagCount })}</span>}
      </p>
      {editing ? (
        <AnswerEditor answer={child} onDone={() => setEditing(false)} />
      ) : (
        <p className={classes.text}>{child.feedbackDesc}</p>
      )}
      <ImageThumbs images={child} />
      <div className={classes.tools}>
        <Visibility entry={child} />
        {own && !editing && (
          <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
            {t('修改')}
          </Button>
        )}
        {children}
      </div>
    </li>
  );
}

/** Takes an entry out of sight, asking why, or shows it: also what waits because of a word. */
function Visibility({ entry }: { entry: Pick<Child, 'id' | 'hidden' | 'held' | 'heldWords'> }) {
  const show = useSend('POST /app/qa_core/hide', { renews: TAUGHT_LISTS });
  const [hiding, setHiding] = useState(false);
  const { id, hidden, held, heldWords } = entry;
  const press = async () => {
    try {
      await show.mutateAsync({ id, hidden: 0 });
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  const showButton = (word: string) => (
    <WaitButton variant="subtle" size="compact-sm" waiting={show.isPending} onClick={() => void press()}>
      {word}
    </WaitButton>
  );
  const hideButton = (
    <Button variant="subtle" size="compact-sm" aria-expanded={hiding} onClick={() => setHiding(!hiding)}>
      {t('隐藏')}
    </Button>
  );
  const why = hiding && <HideForm id={id} onDone={() => setHiding(false)} />;
  if (held)
    return (
      <div className={classes.held}>
        <span>{t('含有“{words}”，只有作者能看到。', { words: heldWords.join(t('、')) })}</span>
        {showButton(t('放行'))}
        {hideButton}
        {why}
      </div>
    );
  if (hidden)
    return (
      <div className={classes.held}>
        <span>{t('已隐藏，只有作者能看到。')}</span>
        {showButton(t('恢复显示'))}
      </div>
    );
  return (
    <>
      {hideButton}
      {why}
    </>
  );
}

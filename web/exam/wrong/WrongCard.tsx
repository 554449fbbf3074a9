import { IconEye, IconEyeOff, IconHistory, IconRestore, IconTrash } from '@tabler/icons-react';
import { memo, type ReactNode, useEffect, useId, useState } from 'react';
import { RichText } from '#ui/RichText.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { byLetters, type CaseMaterial, typeNames } from '../paper.ts';
import { AnswerBlock } from '../question/AnswerBlock.tsx';
import { CaseDetails } from '../question/CaseDetails.tsx';
import { Options } from '../question/Options.tsx';
import screen from '../question/Question.module.css';
import { verdictOf } from '../question/verdict.ts';
import { AnswerHistory } from './AnswerHistory.tsx';
import { CollectButton } from './CollectButton.tsx';
import type { ShownQuestion } from './shown-question.ts';
import { useRenewIfGone } from './useRenewIfGone.ts';
import classes from './WrongCard.module.css';

interface Props {
  shown: ShownQuestion;
  /** Its place in the list, from 1. */
  number: number;
  material: CaseMaterial | null | undefined;
  chosen: boolean;
  /** These get the question's id, so that they are the same functions for every card. */
  onChoose: (questionId: number, chosen: boolean) => void;
  onRemove?: ((questionId: number) => void) | undefined;
  onRestore?: ((questionId: number) => void) | undefined;
}

/** One question of the wrong-question list: what it asks, how often it went wrong, and its key when it is asked for. */
export const WrongCard = memo(function WrongCard({
  shown,
  number,
  material,
  chosen,
  onChoose,
  onRemove,
  onRestore,
}: Props) {
  const { question, wrong, withheld } = shown;
  const { questionId } = question;
  const [opened, setOpen] = useState(false);
  const [asked, setHistory] = useState(false);
  // An exam that begins in another window closes what was open.
  const open = opened && !withheld;
  const history = asked && !withheld;
  const id = useId();
  const letters = byLetters(question.questionTypesId);
  // What was answered wrong the last time stands beside the key: one learns from the difference.
  const answers = useCall(
    'GET /app/exam/question_history',
    { questionId },
    { staleTime: 0, enabled: history || (open && letters) },
  );
  const renewIfGone = useRenewIfGone();
  useEffect(() => void renewIfGone(answers.error), [answers.error, renewIfGone]);
  const mistake = answers.data?.list.find(({ state }) => state === 2 || state === 3);
  return (
    <article className={classes.card} aria-labelledby={id} tabIndex={-1}>
      <div className={classes.head}>
        <label className={classes.box}>
          <input
            type="checkbox"
            checked={chosen}
            disabled={shown.onOffer === 0}
            onChange={(event) => onChoose(questionId, event.currentTarget.checked)}
          />
          <span className="unseen">{t('选择第 {number} 题', { number })}</span>
        </label>
        <h2 id={id} className={classes.number}>
          <span className="unseen">{t('第 {number} 题', { number })}</span>
          <span aria-hidden>{number}</span>
        </h2>
        <span className={screen.chip}>{t(typeNames[question.questionTypesId] ?? '')}</span>
        {wrong && <Facts wrong={wrong} />}
      </div>
      {material !== undefined && <CaseDetails material={material} />}
      <RichText html={question.topic} className={classes.topic} picture={t('题目的图片')} />
      {letters && (
        <Options
          type={question.questionTypesId}
          options={question.options}
          chosen={open ? (mistake?.answer ?? '') : ''}
          right={open ? question.rightAnswer : undefined}
          label={t('选项')}
        />
      )}
      {open && (
        <AnswerBlock
          question={question}
          answer={mistake?.answer ?? ''}
          verdict={mistake && verdictOf(mistake.state, mistake.answer)}
        />
      )}
      {history && <AnswerHistory questionId={questionId} />}
      <p className={classes.place}>
        <span>{shown.chapterName}</span>
        {wrong?.examName && <span>{wrong.examName}</span>}
        {shown.onOffer === 0 && <span className={classes.gone}>{t('已从题库移除，仅供查看')}</span>}
      </p>
      {withheld && <p className={classes.withheld}>{t('这道题所在的试卷交卷后，才能查看答案')}</p>}
      <div className={`${screen.quiet} ${classes.actions}`}>
        {!withheld && (
          <Action
            icon={open ? <IconEyeOff size={18} aria-hidden /> : <IconEye size={18} aria-hidden />}
            word={open ? t('收起答案') : t('查看答案')}
            pressed={open}
            onPress={() => setOpen(!open)}
          />
        )}
        {!withheld && (
          <Action
            icon={<IconHistory size={18} aria-hidden />}
            word={t('作答记录')}
            pressed={history}
            onPress={() => setHistory(!history)}
          />
        )}
        <CollectButton questionId={questionId} collected={shown.collected === 1} note={shown.note} />
        {onRestore && (
          <Action
            icon={<IconRestore size={18} aria-hidden />}
            word={t('放回错题本')}
            onPress={() => onRestore(questionId)}
          />
        )}
        {onRemove && (
          <Action icon={<IconTrash size={18} aria-hidden />} word={t('移除')} onPress={() => onRemove(questionId)} />
        )}
      </div>
    </article>
  );
});

function Action({
  icon,
  word,
  pressed,
  onPress,
}: {
  icon: ReactNode;
  word: string;
  pressed?: boolean;
  onPress: () => void;
}) {
  return (
    <button type="button" onClick={onPress} aria-expanded={pressed}>
      {icon}
      {word}
    </button>
  );
}

function Facts({ wrong }: { wrong: NonNullable<ShownQuestion['wrong']> }) {
  return (
    <span className={classes.facts}>
      {wrong.timesWrong > 0 && <b>{t('错 {count} 次', { count: wrong.timesWrong })}</b>}
      {wrong.guessed === 1 && <span className={classes.guess}>{t('蒙对')}</span>}
      {wrong.rightStreak > 0 && (
        <span className={classes.streak}>{t('连对 {count} 次', { count: wrong.rightStreak })}</span>
      )}
      <span>{formatDay(wrong.lastAt, serverNow())}</span>
    </span>
  );
}

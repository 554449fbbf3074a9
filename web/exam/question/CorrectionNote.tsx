import { RichText } from '#ui/RichText.tsx';
import { formatDay } from '#web/lib/format.ts';
import { t } from '#web/lib/t.ts';
import { byLetters, type KeyedQuestion, type ReviewedQuestion } from '../paper.ts';
import classes from './CorrectionNote.module.css';
import { Options } from './Options.tsx';
import { ScoringPoints } from './ScoringPoints.tsx';

type QuestionCorrection = NonNullable<ReviewedQuestion['correction']>;

interface Props {
  correction: QuestionCorrection;
  /** The question as the record shows it. */
  shown: KeyedQuestion;
}

/**
 * What the school has changed in a question since it was answered (decision 016): the mark stays, what is above stays as it
 * was, and whoever learns from the page sees what is right now.
 */
export function CorrectionNote({ correction: { correctedAt, removed, question }, shown }: Props) {
  return (
    <section className={classes.note}>
      {correctedAt !== null && (
        <p>
          {t('本题已于 {day} 更正。这里是您作答时的题目和答案，成绩不变。', {
            day: formatDay(correctedAt, Date.now()),
          })}
        </p>
      )}
      {removed && <p>{t('本题之后已从试卷中移除，成绩不变。')}</p>}
      {!removed && question && question.gradeMode !== shown.gradeMode && question.gradeMode !== 'key' && (
        <p>
          {question.gradeMode === 'void'
            ? t('本题之后已作废，这里的成绩不变。')
            : t('本题之后改为全员得分，这里的成绩不变。')}
        </p>
      )}
      {!removed && question && question.gradeMode !== 'void' && question.score !== shown.score && (
        <p>{t('本题分值之后改为 {score} 分，成绩不变。', { score: question.score })}</p>
      )}
      {correctedAt !== null && question && <Corrected question={question} shown={shown} />}
    </section>
  );
}

function Corrected({ question, shown }: { question: KeyedQuestion; shown: KeyedQuestion }) {
  const letters = byLetters(question.questionTypesId);
  const optionsDiffer = optionsIn(question) !== optionsIn(shown);
  const answerDiffers = rightIn(question) !== rightIn(shown);
  return (
    <>
      {question.topic !== shown.topic && (
        <>
          <h3>{t('更正后的题目')}</h3>
          <RichText html={question.topic} className={classes.text} />
        </>
      )}
      {(optionsDiffer || answerDiffers) && <h3>{t('更正后的答案')}</h3>}
      {(optionsDiffer || answerDiffers) &&
        (letters ? (
          <Options
            type={question.questionTypesId}
            options={question.options}
            chosen=""
            right={question.rightAnswer}
            label={t('更正后的答案')}
          />
        ) : (
          <RichText html={question.rightAnswer} className={classes.text} />
        ))}
      {question.points.length > 0 && saidBy(question) !== saidBy(shown) && (
        <>
          <h3>{t('更正后的采点')}</h3>
          <ScoringPoints points={question.points} headless />
        </>
      )}
      {question.answerAnalysis !== shown.answerAnalysis && question.answerAnalysis !== '' && (
        <>
          <h3>{t('更正后的解析')}</h3>
          <RichText html={question.answerAnalysis} className={classes.text} />
        </>
      )}
    </>
  );
}

/** The options, and those of them that are right, whatever letters they stand under: a record may show them in an order of its own. */
const optionsIn = ({ options }: KeyedQuestion) => JSON.stringify(Object.values(options).sort());
const saidBy = ({ points }: KeyedQuestion) => JSON.stringify(points.map(({ text, weight }) => [text, weight]));
const rightIn = ({ questionTypesId, options, rightAnswer }: KeyedQuestion) =>
  byLetters(questionTypesId) ? JSON.stringify([...rightAnswer].map((letter) => options[letter]).sort()) : rightAnswer;

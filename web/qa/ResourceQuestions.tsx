import { t } from '#web/lib/t.ts';
import { useMore } from '#web/lib/useMore.ts';
import { AskBox } from './AskBox.tsx';
import { QuestionList } from './QuestionList.tsx';
import classes from './ResourceQuestions.module.css';

interface Props {
  packId: number;
  /** The exam question, and the own record in which it is seen. */
  questionId: number;
  recordId: number;
}

/** The question box of an exam question under review: the input, and what one has asked about it, newest first (spec §2). */
export default function ResourceQuestions({ packId, questionId, recordId }: Props) {
  const mine = useMore('GET /app/feedback/list', { packId, questionId, myState: 1, pageSize: 10 });
  return (
    <section className={classes.questions} aria-label={t('问老师')}>
      <h3>{t('问老师')}</h3>
      <AskBox subject={{ packId, questionId, recordId }} teachingOnly />
      {(mine.call.data?.[0]?.total ?? 0) > 0 && <QuestionList questions={mine} />}
    </section>
  );
}

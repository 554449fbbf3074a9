import { Link } from 'react-router';
import { TextBones } from '#ui/Bones.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { VerdictSign } from '../question/AnswerBlock.tsx';
import { verdictOf } from '../question/verdict.ts';
import classes from './AnswerHistory.module.css';

/** Every time the student answered a question: when, where, what, and what became of it. */
export function AnswerHistory({ questionId }: { questionId: number }) {
  const call = useCall('GET /app/exam/question_history', { questionId }, { staleTime: 0 });
  return (
    <section className={classes.box} aria-label={t('作答记录')}>
      <CallState
        call={call}
        skeleton={<TextBones lines={2} />}
        empty={{ when: ({ list }) => list.length === 0, show: <p>{t('还没有交卷的作答。')}</p> }}
      >
        {({ list }) => (
          <ol className={classes.list}>
            {list.map((line) => (
              <li key={line.recordId}>
                <VerdictSign verdict={verdictOf(line.state, line.answer)} />
                <span className={classes.answer}>{line.answer}</span>
                {line.guess === 1 && <span className={classes.guess}>{t('蒙的')}</span>}
                <Link to={paths.examReview(line.recordId)}>{line.examName}</Link>
                <span className={classes.when}>{formatMoment(line.answeredAt, serverNow())}</span>
              </li>
            ))}
          </ol>
        )}
      </CallState>
    </section>
  );
}

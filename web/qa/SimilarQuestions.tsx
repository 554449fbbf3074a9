import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Clamped } from '#ui/Clamped.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { lengthOf } from '#web/lib/typed-text.ts';
import { useCall } from '#web/lib/useCall.ts';
import { MarkedSpans } from './MarkedSpans.tsx';
import classes from './SimilarQuestions.module.css';

/** A text this short says too little to look for. */
const SHORTEST = 4;
/** Milliseconds without a key after which what was typed is looked for. */
const PAUSE = 500;

/** What others asked like it, with the answer, while a question is typed: who finds it there need not ask (fewer same questions). */
export function SimilarQuestions({ packId, text }: { packId: number; text: string }) {
  const asked = useStill(text.trim());
  const long = lengthOf(asked) >= SHORTEST;
  const { data } = useCall(
    'GET /app/qa/recommend_reply',
    { packId, feedbackDesc: asked },
    { enabled: long, staleTime: 60_000, keepPrevious: true },
  );
  const list = long ? (data?.list ?? []) : [];
  if (list.length === 0) return null;
  return (
    <section className={classes.similar} aria-label={t('也许已经有人问过')}>
      <h3>{t('也许已经有人问过')}</h3>
      <ul>
        {list.map((one) => (
          <li key={one.id}>
            <Link to={paths.qa({ id: one.id })} target="_blank">
              <MarkedSpans text={one.feedbackDesc} spans={one.highlights} />
            </Link>
            {one.answer === '' ? (
              <p className={classes.none}>{t('还没有老师回答')}</p>
            ) : (
              <Clamped text={t('{teacher}：{answer}', { teacher: one.userName, answer: one.answer })} lines={2} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A text once it has stood still for a moment. */
function useStill(text: string): string {
  const [still, setStill] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setStill(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return still;
}

import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './SimilarTo.module.css';

/** Questions like this one, with whether they were answered; nothing where there are none. */
export function SimilarTo({ id }: { id: number }) {
  const { data } = useCall('GET /app/qa/recommend_reply', { id }, { staleTime: 60_000 });
  if (data === undefined || data.list.length === 0) return null;
  return (
    <section className={classes.similar} aria-labelledby="similar-questions">
      <h2 id="similar-questions">{t('相似的问题')}</h2>
      <ul>
        {data.list.map((one) => (
          <li key={one.id}>
            <Link to={paths.qa({ id: one.id })}>{one.feedbackDesc}</Link>
            {one.answer !== '' && <span>{t('已回答')}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

import { IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { t } from '#web/lib/t.ts';
import type { Result } from '../paper.ts';
import classes from './NextSteps.module.css';
import { showStep } from './next-steps.ts';

/** What to work on next: at most three links, the one that brings most first. */
export function NextSteps({ result }: { result: Result }) {
  if (result.steps.length === 0) return null;
  return (
    <section className={classes.box} aria-labelledby="next-steps">
      <h2 id="next-steps">{t('接下来')}</h2>
      <ol>
        {result.steps.map((step, at) => {
          const { title, reason, to } = showStep(step, result);
          return (
            <li key={step.code}>
              <Link to={to}>
                <span className={classes.number} aria-hidden>
                  {at + 1}
                </span>
                <span className={classes.words}>
                  <b>{title}</b>
                  <span>{reason}</span>
                </span>
                <IconChevronRight size={18} aria-hidden className={classes.arrow} />
              </Link>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

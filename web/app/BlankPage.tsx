import { useEffect, useState } from 'react';
import { TextBones } from '#ui/Bones.tsx';
import { t } from '#web/lib/t.ts';
import classes from './BlankPage.module.css';
import { useBareFrame } from './bare-frame.ts';
import { BLINK, blankWait } from './blank-wait.ts';

const wait = blankWait();

/**
 * What stands while a page's code is on its way: nothing for a blink, then bones. It stands in several places that take
 * over from each other (code of the shell, code of the page, who is signed in); the person sees one, so that the next
 * goes on where the last one was.
 * @param alone before the shell is there: the bones stand where they will stand below its header
 */
export function BlankPage({ alone = false }: { alone?: boolean }) {
  const bare = useBareFrame();
  const [animationDelay] = useState(() => {
    // What the server draws is the first blank page of all, and stands since the page came.
    if (typeof document === 'undefined') return `${BLINK}ms`;
    const now = performance.now();
    if (bare) wait.stoodSince(0, now);
    return `${wait.left(now)}ms`;
  });
  useEffect(() => {
    wait.shown();
    return () => wait.gone(performance.now());
  }, []);
  return (
    <div className={classes.blank} data-alone={alone || undefined} style={{ animationDelay }} aria-busy="true">
      <span className="unseen" role="status">
        {t('正在加载')}
      </span>
      <div aria-hidden>
        <TextBones lines={5} />
      </div>
    </div>
  );
}

import { TextBones } from '#ui/Bones.tsx';
import { t } from '#web/lib/t.ts';
import classes from './BlankPage.module.css';

/** What stands while a page's code is on its way: nothing for a blink, then bones. */
export function BlankPage() {
  return (
    <div className={classes.blank} aria-busy="true">
      <span className="unseen" role="status">
        {t('正在加载')}
      </span>
      <div aria-hidden>
        <TextBones lines={5} />
      </div>
    </div>
  );
}

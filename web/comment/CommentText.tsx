import { Clamped } from '#ui/Clamped.tsx';
import classes from './CommentPanel.module.css';

/** Lines of a comment that are shown before 展开 is pressed: one may have 2,000 characters. */
const LINES = 8;

/** What somebody wrote, as students read it. */
export function CommentText({ text }: { text: string }) {
  return (
    <div className={classes.text}>
      <Clamped text={text} lines={LINES} />
    </div>
  );
}

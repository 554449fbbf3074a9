import classes from './Levels.module.css';
import { levelsOf } from './levels.ts';

/** The relationship tag (隶属) and the levels of a university in one line. */
export function Levels({
  university,
}: {
  university: { relationship: string; is985: number; is211: number; isDfc: number };
}) {
  return (
    <span className={classes.line}>
      {university.relationship !== '' && (
        <span className={classes.relationship} lang="zh-CN">
          {university.relationship}
        </span>
      )}
      {levelsOf(university).map((level) => (
        <span key={level} className={classes.level}>
          {level}
        </span>
      ))}
    </span>
  );
}

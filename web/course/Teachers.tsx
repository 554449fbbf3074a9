import type { Data } from '#web/lib/send.ts';
import classes from './Teachers.module.css';

/** Who teaches in a pack: name, picture, words. */
export function Teachers({ teachers }: { teachers: Data<'GET /api/common/course_details'>['teachers'] }) {
  return (
    <ul className={classes.teachers} lang="zh-CN">
      {teachers.map(({ name, title, words, pictureUrl }) => (
        <li key={name} className={classes.teacher}>
          {pictureUrl === '' ? (
            // The first character of the name stands where there is no picture.
            <span className={classes.face} aria-hidden>
              {[...name][0]}
            </span>
          ) : (
            <img src={pictureUrl} alt="" className={classes.face} />
          )}
          <div className={classes.body}>
            <h3 className={classes.name}>
              {name} {title !== '' && <small>{title}</small>}
            </h3>
            <p className={classes.words}>{words}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './SearchBox.module.css';

type Match = Data<'GET /app/university/suggest'>['list'][number]['match'];

/** A suggestion's name with what was typed highlighted; when it was found elsewhere than in the name, where. */
export function Suggestion({ name, match }: { name: string; match: Match }) {
  const inName = match.text === name;
  return (
    <span className={classes.words}>
      <span className={classes.name} lang="zh-CN">
        {inName ? <Highlighted {...match} /> : name}
      </span>
      {(!inName || match.reading !== '') && (
        <span className={classes.why}>
          {!inName && (
            <span>
              {t('又名')} <Highlighted {...match} />
            </span>
          )}
          {match.reading !== '' && (
            <span>
              {match.by === 'initials' ? t('拼音首字母') : t('拼音')} <span lang="zh-Latn">{match.reading}</span>
            </span>
          )}
        </span>
      )}
    </span>
  );
}

function Highlighted({ text, from, to }: Match) {
  return (
    <span lang="zh-CN">
      {text.slice(0, from)}
      <mark className={classes.hit}>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </span>
  );
}

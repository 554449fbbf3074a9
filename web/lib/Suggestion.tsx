import classes from './SearchField.module.css';
import { t } from './t.ts';

/** Where a typed text was found, as calls that suggest say it. */
export interface SuggestionMatch {
  by: 'name' | 'alias' | 'pinyin' | 'initials';
  text: string;
  from: number;
  to: number;
  reading: string;
}

/**
 * A suggestion's name with what was typed highlighted; when it was found elsewhere than in the name, where.
 * @param other what such a place is called: 又名
 */
export function Suggestion({ name, match, other }: { name: string; match: SuggestionMatch; other: string }) {
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
              {other} <Highlighted {...match} />
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

function Highlighted({ text, from, to }: SuggestionMatch) {
  return (
    <span lang="zh-CN">
      {text.slice(0, from)}
      <mark className={classes.hit}>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </span>
  );
}

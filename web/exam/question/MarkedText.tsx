import { useMemo } from 'react';
import { findKeyWords } from '#rules/exam/key-words.ts';
import { t } from '#web/lib/t.ts';
import classes from './Question.module.css';

interface Props {
  text: string;
  words: readonly string[];
  /** Left out where it stands a second time. */
  hint?: boolean;
}

/** A written answer with the key words that it has: underlined, so that no colour alone says it, and said to be a hint. */
export function MarkedText({ text, words, hint = true }: Props) {
  const spans = useMemo(() => findKeyWords(text, words), [text, words]);
  return (
    <>
      <div className={classes.written}>
        {spans.map(([from, to], at) => (
          <span key={from}>
            {text.slice(spans[at - 1]?.[1] ?? 0, from)}
            <mark className={classes.word}>{text.slice(from, to)}</mark>
          </span>
        ))}
        {text.slice(spans.at(-1)?.[1] ?? 0)}
      </div>
      {hint && spans.length > 0 && (
        <p className={classes.words}>{t('画线的是答案里找到的关键词，只作提示，不决定得分。')}</p>
      )}
    </>
  );
}

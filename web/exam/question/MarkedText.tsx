import { useMemo } from 'react';
import { findKeyWords } from '#rules/exam/key-words.ts';
import classes from './Question.module.css';

/** A written answer with the key words that it has: underlined, so that no colour alone says it. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  const spans = useMemo(() => findKeyWords(text, words), [text, words]);
  return (
    <>
      {spans.map(([from, to], at) => (
        <span key={from}>
          {text.slice(spans[at - 1]?.[1] ?? 0, from)}
          <mark className={classes.word}>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(spans.at(-1)?.[1] ?? 0)}
    </>
  );
}

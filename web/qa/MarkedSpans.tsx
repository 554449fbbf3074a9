import classes from './MarkedSpans.module.css';

/** A text with the parts that were looked for, marked by a line as well as by colour. @param spans UTF-16 offsets, in order and apart */
export function MarkedSpans({ text, spans }: { text: string; spans: readonly { from: number; to: number }[] }) {
  return (
    <span className={classes.text}>
      {spans.map(({ from, to }, at) => (
        <span key={from}>
          {text.slice(spans[at - 1]?.to ?? 0, from)}
          <mark className={classes.found}>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(spans.at(-1)?.to ?? 0)}
    </span>
  );
}

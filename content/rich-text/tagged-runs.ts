import type { Run } from '#content/sheet/sheet.ts';
import { formulaSpans } from './formula.ts';
import { ownTag, withoutOwnSigns } from './html-tags.ts';

/** Each piece of a text between tags of ours (`ownTag`); a formula of which a part is formatted stays as it is written. */
export function taggedRuns(written: readonly Run[]): string {
  const runs = written.map(({ text, formats }) => ({ text: withoutOwnSigns(text), formats }));
  const spans = formulaSpans(runs.map(({ text }) => text).join(''));
  let html = '';
  let at = 0;
  const tagged = (text: string, { formats }: Run) =>
    text === '' ? '' : formats.reduceRight((inner, format) => ownTag(format, inner), text);
  for (const run of runs) {
    const end = at + run.text.length;
    let from = at;
    for (const [open, close] of spans) {
      if (close <= from || open >= end || (open >= at && close <= end)) continue;
      html += tagged(run.text.slice(from - at, Math.max(from, open) - at), run);
      const to = Math.min(close, end);
      html += run.text.slice(Math.max(from, open) - at, to - at);
      from = to;
    }
    html += tagged(run.text.slice(from - at), run);
    at = end;
  }
  return html;
}

/** Whether words of a formula are formatted: its letters are set as the formula says, so `$x²$` with a raised 2 would show x2. */
export function formatsFormulas(runs: readonly Run[]): boolean {
  const spans = formulaSpans(runs.map(({ text }) => text).join(''));
  let at = 0;
  return runs.some(({ text, formats }) => {
    const [from, to] = [at, at + text.length];
    at = to;
    return (
      text.trim() !== '' &&
      formats.length > 0 &&
      spans.some(([open, close]) => open < to && close > from && !(open >= from && close <= to))
    );
  });
}

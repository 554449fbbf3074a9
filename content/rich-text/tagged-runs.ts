import type { Run } from '#content/sheet/sheet.ts';
import { formulaSpans } from './formula.ts';
import { ownTag, withoutOwnSigns } from './html-tags.ts';

/** Each piece of a text between tags of ours (`ownTag`); formulas stay as they are written. */
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
      if (close <= from || open >= end) continue;
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

import type { Run } from '#content/sheet/sheet.ts';
import { formulaSpans } from './formula.ts';

/** Each piece of a text between its tags; formulas stay as they are written. */
export function taggedRuns(runs: readonly Run[]): string {
  const spans = formulaSpans(runs.map(({ text }) => text).join(''));
  let html = '';
  let at = 0;
  const tagged = (text: string, { formats }: Run) =>
    text === '' ? '' : formats.reduceRight((inner, format) => `<${format}>${inner}</${format}>`, text);
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

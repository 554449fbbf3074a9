import { Parser } from 'htmlparser2';
import { formulasIn } from '#rules/rich-text/formula-source.ts';

/** Elements whose text is shown letter by letter. */
const LITERAL: ReadonlySet<string> = new Set(['pre', 'code']);

/**
 * The formulas of a sanitized text, with their signs, in its order and each as often as it stands there: what the browser will find in its
 * text nodes (ui/formulas.ts).
 */
export function formulasOfHtml(html: string): string[] {
  if (!/\\[([]/.test(html)) return [];
  const found: string[] = [];
  let text = '';
  let literal = 0;
  const end = () => {
    if (literal === 0) for (const { source } of formulasIn(text)) found.push(source);
    text = '';
  };
  const parser = new Parser({
    ontext(part) {
      text += part;
    },
    onopentagname(name) {
      end();
      if (LITERAL.has(name)) literal += 1;
    },
    onclosetag(name) {
      end();
      if (LITERAL.has(name)) literal -= 1;
    },
  });
  parser.end(html);
  end();
  return found;
}

import { Parser } from 'htmlparser2';
import type { Checked } from '#content/checked.ts';
import { DrawingCost, DrawingTooDear } from './drawing-cost.ts';
import { escapeHtml } from './escape-html.ts';

/** Drawing elements. No script, no foreign HTML, no links, no animation, no embedded pictures or fonts. */
const ELEMENTS = new Set([
  'svg',
  'g',
  'defs',
  'symbol',
  'use',
  'title',
  'desc',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'text',
  'tspan',
  'textPath',
  'marker',
  'clipPath',
  'mask',
  'pattern',
  'linearGradient',
  'radialGradient',
  'stop',
  'style',
  'switch',
]);

/** An address may only lead into the drawing itself. */
const leadsOut = (value: string) =>
  // Each blank is looked at once: two runs of blanks beside each other would be tried in every division.
  /url\((?!\s*(?:["']\s*)?#)/i.test(value) ||
  /(?:javascript|data|vbscript)\s*:|@import|expression\s*\(|\\/i.test(value);

function allowed(name: string, value: string): boolean {
  if (/^on/i.test(name) || leadsOut(value)) return false;
  if (/(?:^|:)href$/i.test(name)) return value.trim().startsWith('#');
  return name !== 'xml:base' && (!name.startsWith('xmlns') || /^http:\/\/www\.w3\.org\//.test(value));
}

/**
 * Rewrites an SVG drawing with an allow-list: what could run, load or lead elsewhere when somebody opens the file itself
 * is left out. What would keep a reader's browser busy is refused (`drawing-cost.ts`).
 * @returns the drawing, or a sentence in Chinese
 */
export function safeSvg(source: string): Checked<string> {
  const cost = new DrawingCost();
  let depth = 0;
  let out = '';
  let skipping = 0;
  let style = '';
  let inStyle = false;
  let root = '';
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        cost.begin(attributes);
        if (depth === 1) root ||= name;
        if (skipping > 0 || !ELEMENTS.has(name)) {
          skipping += 1;
          return;
        }
        const harmless = Object.entries(attributes).filter(
          ([key, value]) => /^[\w:.-]+$/.test(key) && allowed(key, value),
        );
        out += `<${name}${harmless.map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join('')}>`;
        if (name === 'style') {
          inStyle = true;
          style = '';
        }
      },
      ontext: (text) => {
        if (skipping > 0) return;
        if (inStyle) style += text;
        else if (depth > 0) out += escapeHtml(text);
      },
      onclosetag: (name) => {
        depth -= 1;
        cost.end();
        if (skipping > 0) {
          skipping -= 1;
          return;
        }
        if (name === 'style') {
          inStyle = false;
          if (!leadsOut(style)) out += escapeHtml(style);
        }
        out += `</${name}>`;
      },
    },
    { xmlMode: true },
  );
  try {
    parser.end(source.replace(/^\ufeff/, ''));
    cost.check();
  } catch (error) {
    if (error instanceof DrawingTooDear) return { ok: false, why: error.message };
    throw error;
  }
  if (root !== 'svg') return { ok: false, why: '不是 SVG 图片' };
  return {
    ok: true,
    value: out.includes('xmlns="http://www.w3.org/2000/svg"')
      ? out
      : out.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"'),
  };
}

import '#ui/base.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { typeset } from '#ui/formulas.ts';
import { knowFormulas } from '#ui/known-formulas.ts';
import { RichText } from '#ui/RichText.tsx';
import { safeFormula } from '#ui/safe-formula.ts';
import { safeHtml } from '#ui/safe-html.ts';
import { Options } from '#web/exam/question/Options.tsx';

/** The page of rich-text.e2e.ts (in-browser.ts): texts as every screen shows them. */
const box = document.getElementById('root');
if (!box) throw new Error('the page has no #root');
const screen = createRoot(box);

/** Shows a text in the component that shows all texts of content packs. */
export function show(html: string): void {
  flushSync(() => screen.render(<RichText html={html} />));
}

/** Shows the options of a question of one choice. */
export function showOptions(options: Readonly<Record<string, string>>): void {
  flushSync(() => screen.render(<Options type={2} options={options} chosen="" label="选项" />));
}

/** One element of a text with all that it says of itself. */
type Element = [tag: string, attributes: Record<string, string>];

function elementsOf(html: string): Element[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return [...body.querySelectorAll('*')].map((element) => [
    element.tagName.toLowerCase(),
    Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  ]);
}

/** The elements of each text as the server stored it, and as the browser's own allow-list leaves it. */
export function bothOf(texts: readonly string[]): [stored: Element[], shown: Element[]][] {
  return texts.map((text) => [elementsOf(text), elementsOf(safeHtml(text))]);
}

/** What depends on how wide its place is, and on which letters have come. */
const BY_WIDTH = new Set(['tabindex', 'data-wide']);

/**
 * What a formula is in the page, however it was written: blanks in styles, a class or style that is empty, and and what the library
 * itself makes another thing of as text than as nodes: a node of each letter, an element around a space in MathML.
 */
function shapeOf(node: Node): unknown {
  if (!(node instanceof Element)) return node.textContent;
  if (node.localName === 'mtext' && /^[\s\u200a\u2063]{1,2}$/.test(node.textContent ?? '')) return node.textContent;
  const style = (node as HTMLElement | SVGElement | MathMLElement).style.cssText;
  const attributes = [...node.attributes]
    .map(({ name, value }) => [name, name === 'style' ? style : value.replace(/\s+/g, ' ')] as const)
    .filter(([name, value]) => !(BY_WIDTH.has(name) || name === 'xmlns' || value === ''));
  const children: unknown[] = [];
  for (const child of [...node.childNodes].map(shapeOf)) {
    const before = children.at(-1);
    if (typeof child === 'string' && typeof before === 'string') children[children.length - 1] = before + child;
    else children.push(child);
  }
  return [node.namespaceURI, node.localName, attributes.sort(), children];
}

/** Where the pictures of both are taken. */
const [came, made] = ['came', 'made'].map((id) =>
  document.body.appendChild(Object.assign(document.createElement('div'), { id })),
);

/** Puts what is no formula where formulas stand. @returns the name of each element and attribute that is left of it */
export function cleanedFormula(html: string): string[] {
  const place = document.body.appendChild(document.createElement('div'));
  place.append(safeFormula(html));
  const left = [...place.querySelectorAll('*')].flatMap((element) => [
    element.localName,
    ...[...element.attributes].map(({ name }) => `@${name}`),
  ]);
  return [...new Set(left)].sort();
}

/**
 * Puts formulas into the page twice: as the library sets them here, and then as they come set from the server.
 * @returns those that are another thing then, or have another name in words
 */
export async function setBoth(formulas: Readonly<Record<string, string>>): Promise<string[]> {
  if (!came || !made) throw new Error('the page has no places');
  const inPlaces = (place: HTMLElement) => {
    place.replaceChildren();
    return Object.keys(formulas).map((source) => {
      const text = place.appendChild(document.createElement('p'));
      text.textContent = source;
      return { source, text };
    });
  };
  const own = inPlaces(made);
  for (const { source, text } of own)
    if (typeset(text) !== null && !((await typeset(text)) === true && typeset(text) === null))
      throw new Error(`the library does not come for ${source}`);
  knowFormulas(formulas);
  return inPlaces(came).flatMap(({ source, text }, at) => {
    const waits = typeset(text) !== null;
    const theirs = own[at]?.text;
    const same = theirs !== undefined && JSON.stringify(shapeOf(text)) === JSON.stringify(shapeOf(theirs));
    return waits || !same ? [source] : [];
  });
}

import '#ui/base.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { RichText } from '#ui/RichText.tsx';
import { safeHtml } from '#ui/safe-html.ts';

/** The page of rich-text.e2e.ts (in-browser.ts): texts as every screen shows them. */
const box = document.getElementById('root');
if (!box) throw new Error('the page has no #root');
const screen = createRoot(box);

/** Shows a text in the component that shows all texts of content packs. */
export function show(html: string): void {
  flushSync(() => screen.render(<RichText html={html} />));
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

import renderMathInElement from 'katex/contrib/auto-render';
import 'katex/dist/katex.min.css';

/** Sets the formulas inside an element. A formula with a mistake stays readable as its source, in the colour of text. */
export function typeset(node: HTMLElement): void {
  renderMathInElement(node, {
    delimiters: [
      { left: '\\[', right: '\\]', display: true },
      { left: '\\(', right: '\\)', display: false },
    ],
    throwOnError: false,
    errorColor: 'inherit',
    strict: 'ignore',
    trust: false,
    maxExpand: 500,
    maxSize: 20,
  });
  // A formula wider than its place scrolls, so it has to be reachable by key.
  for (const display of node.querySelectorAll<HTMLElement>('.katex-display')) {
    if (display.scrollWidth > display.clientWidth) display.tabIndex = 0;
  }
}

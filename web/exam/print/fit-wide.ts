/** Width of a column on A4 in the letters of its text, without the number of the question, and of both columns together. */
const COLUMN = 21;
const PAGE = 46;
/** What the letter before an option takes of it. */
const OPTION_LETTER = 2;
/** What would be smaller than this in a column spans both of them instead; a formula in a line has small letters as it is. */
const SPANS_BELOW = 0.72;
const LINE_SPANS_BELOW = 0.9;
/** What is smaller cannot be read. */
const SMALLEST = 0.5;

/** Something that cannot be broken into lines, with the width that it needs. */
interface Unbroken {
  element: HTMLElement;
  width: number;
}

/**
 * Makes tables and formulas fit into a column of paper, where nothing scrolls: a wider one is set smaller, and the question of one that would be too small
 * spans both columns. They are measured in letters, since the column on the screen is another one. Follows formulas that are set later. @returns what ends that
 */
export function fitWide(sheet: HTMLElement): () => void {
  let frame = 0;
  const fit = () => {
    frame = 0;
    for (const item of sheet.querySelectorAll('[data-wide]')) item.removeAttribute('data-wide');
    const found = unbrokenIn(sheet).flatMap(({ element, width }) => {
      const letter = fontSizeOf(element.parentElement);
      return width > 0 && letter > 0 ? [{ element, letters: width / letter }] : [];
    });
    const room = (element: HTMLElement, all: number) => all - (element.closest('ul') ? OPTION_LETTER : 0);
    for (const { element, letters } of found)
      if (room(element, COLUMN) / letters < (element.matches('.katex') ? LINE_SPANS_BELOW : SPANS_BELOW))
        element.closest('[data-item]')?.setAttribute('data-wide', '');
    for (const { element, letters } of found) {
      const share = room(element, element.closest('[data-wide]') ? PAGE : COLUMN) / letters;
      if (share >= 1) continue;
      const own = fontSizeOf(element) / fontSizeOf(element.parentElement);
      element.style.fontSize = `${own * Math.max(SMALLEST, share)}em`;
    }
  };
  const soon = () => {
    frame ||= requestAnimationFrame(fit);
  };
  const observer = new MutationObserver(soon);
  observer.observe(sheet, { childList: true, subtree: true });
  // The library's letters change every width.
  document.fonts.addEventListener('loadingdone', soon);
  soon();
  return () => {
    observer.disconnect();
    document.fonts.removeEventListener('loadingdone', soon);
    cancelAnimationFrame(frame);
  };
}

const fontSizeOf = (element: Element | null) =>
  element === null ? 0 : Number.parseFloat(getComputedStyle(element).fontSize);

/** In the size that their text gives them. All are set back before the first is measured: a page of hundreds is laid out twice, not once for each. */
function unbrokenIn(sheet: HTMLElement): Unbroken[] {
  const formulas = [...sheet.querySelectorAll<HTMLElement>('.katex-display, .katex')].filter(
    (element) => element.matches('.katex-display') || !element.closest('.katex-display'),
  );
  const tables = [...sheet.querySelectorAll<HTMLElement>('table')];
  for (const element of [...formulas, ...tables]) element.style.fontSize = '';
  const found = formulas.map((element) => {
    const parts = [...element.querySelectorAll('.katex-html > *')].map((part) => part.getBoundingClientRect());
    if (!element.matches('.katex-display')) {
      // In a line: it breaks behind its signs, so its widest part counts.
      return { element, width: Math.max(0, ...parts.map(({ width }) => width)) };
    }
    const right = Math.max(...parts.map((part) => part.right));
    const left = Math.min(...parts.map((part) => part.left));
    return { element, width: parts.length === 0 ? 0 : right - left };
  });
  // Last, since a formula in a cell is measured by itself. A table is as narrow as its words let it be.
  for (const table of tables) table.style.width = 'min-content';
  const widths = tables.map((table) => table.getBoundingClientRect().width);
  for (const table of tables) table.style.width = '';
  return [...found, ...tables.map((element, at) => ({ element, width: widths[at] ?? 0 }))];
}

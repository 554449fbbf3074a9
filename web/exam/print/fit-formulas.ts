/** Width of a column on A4 in its own letters, without the number of the question; options have their own letter before them. */
const COLUMN = 21;
const OPTION = 19;
/** What is smaller cannot be read. */
const SMALLEST = 0.55;

/**
 * Makes formulas fit into a column of paper, where nothing scrolls: a wider one is set smaller. They are measured in letters, since the
 * column on the screen is another one. Follows formulas that are set later. @returns what ends that
 */
export function fitFormulas(sheet: HTMLElement): () => void {
  let frame = 0;
  const fit = () => {
    frame = 0;
    for (const display of sheet.querySelectorAll<HTMLElement>('.katex-display')) {
      display.style.fontSize = '';
      const letter = Number.parseFloat(getComputedStyle(display).fontSize);
      const parts = [...display.querySelectorAll('.katex-html > *')].map((part) => part.getBoundingClientRect());
      if (parts.length === 0 || !(letter > 0)) continue;
      const width = Math.max(...parts.map(({ right }) => right)) - Math.min(...parts.map(({ left }) => left));
      const room = display.closest('ul') ? OPTION : COLUMN;
      const share = (room * letter) / width;
      if (share < 1) display.style.fontSize = `${Math.max(SMALLEST, share)}em`;
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

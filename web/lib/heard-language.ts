import { languageOf } from '#rules/rich-text/language.ts';

/** Whose text is not read, or has no words. */
const SILENT = 'script, style, noscript, textarea, svg, math';

/**
 * Tells in an English interface what is Chinese: names of courses, chapters and lessons, people's words, tags. They stand in hundreds of places, also in the
 * middle of English words, where a text is Chinese as a whole (decision 061), so they are read from the page itself and no place can be forgotten. Without
 * `lang` a screen reader spells them out or leaves them away, and their characters take shapes of another language.
 * What the code itself says the language of is left alone. What was told here has `data-told`.
 * @returns takes it back
 */
export function tellChinese(page: HTMLElement): () => void {
  const watcher = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'childList') for (const node of addedNodes) if (node instanceof Element) judgeAll(node);
      const element = target instanceof Element ? target : target.parentElement;
      if (element?.isConnected) judge(element);
    }
  });
  judgeAll(page);
  watcher.observe(page, { childList: true, characterData: true, subtree: true, attributeFilter: ['aria-label'] });
  return () => {
    watcher.disconnect();
    for (const element of page.querySelectorAll('[data-told]')) takeBack(element);
  };
}

function judgeAll(element: Element): void {
  judge(element);
  for (const inside of element.querySelectorAll('*')) judge(inside);
}

function judge(element: Element): void {
  const told = element.hasAttribute('data-told');
  // The language of the page is the one that is told otherwise.
  const byCode = element.closest('[lang]:not([data-told])') !== document.documentElement;
  const own = byCode || element.closest(SILENT) ? undefined : ownLanguage(element);
  const around = element.parentElement?.closest('[data-told]')?.getAttribute('lang') ?? 'en';
  const next = own === around ? undefined : own;
  if (next === (told ? (element.getAttribute('lang') ?? undefined) : undefined)) return;
  if (next === undefined) takeBack(element);
  else {
    element.setAttribute('lang', next);
    element.setAttribute('data-told', '');
  }
  for (const inside of element.querySelectorAll('*')) judge(inside);
}

/** What an element says itself, apart from the elements in it, by its words or by the name that it is given instead. */
function ownLanguage(element: Element): 'zh-CN' | 'en' | undefined {
  let words = element.getAttribute('aria-label') ?? element.getAttribute('alt') ?? '';
  for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) words += node.nodeValue ?? '';
  return languageOf(words);
}

function takeBack(element: Element): void {
  element.removeAttribute('data-told');
  element.removeAttribute('lang');
}

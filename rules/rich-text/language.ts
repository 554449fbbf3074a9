/** Characters after which a text without a Chinese one has shown its language. */
const ENOUGH = 4000;

/**
 * The language of a text from a content pack, for whoever has it read aloud: Chinese where one character of it is,
 * English where its letters make words, undefined where it is numbers, signs, single letters or formulas alone, which are
 * read in the language of the page.
 * @param text with markup and formulas, or without
 */
export function languageOf(text: string): 'zh-CN' | 'en' | undefined {
  if (/\p{Script=Han}/u.test(text)) return 'zh-CN';
  const words = text
    .slice(0, ENOUGH)
    .replace(/\\\[[\s\S]*?\\\]|\\\([\s\S]*?\\\)/g, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&#?\w+;/g, ' ');
  return /[a-z]{2}/i.test(words) ? 'en' : undefined;
}

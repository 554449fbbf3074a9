/** What of a question tells it from others: what a student reads, not its key. Texts are sanitized HTML. */
export interface QuestionText {
  topic: string;
  /** By letter. */
  options: Readonly<Record<string, string>>;
  /** Text of the case material beside it; null: none. */
  material: string | null;
}

/**
 * A text that is the same for twins: the same question in two packs, or a corrected copy of it, has another id and is
 * still the same to whoever sits it (decisions §3 "its questions show no key anywhere else … another pack"). Pictures make
 * a difference. Blanks, width of characters, tags and the order of the options make none, nor does the type: a choice
 * question retyped from 3 to 5 has the same key.
 */
export function comparable({ topic, options, material }: QuestionText): string {
  return JSON.stringify([plainText(topic), Object.values(options).map(plainText).sort(), plainText(material ?? '')]);
}

/** What of sanitized HTML is read, its pictures by their addresses: without tags, blanks and the width of characters. */
export function plainText(html: string): string {
  return html
    .replace(/<img\b[^>]*?\bsrc="([^"]*)"[^>]*>/gi, '\u0001$1\u0001')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&nbsp;', '')
    .normalize('NFKC')
    .replace(/[\s\u200b-\u200d\ufeff]+/g, '');
}

/** Sanitized HTML as it is where nothing is said of its pictures: an alternative text makes no other question. */
export const undescribed = (html: string): string =>
  html.includes('<img') ? html.replace(/(<img\b[^>]*?\balt=")[^"]*"/gi, '$1"') : html;

/** The same of options, by letter. */
export const undescribedOptions = (options: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(options).map(([letter, html]) => [letter, undescribed(html)]));

import { visibleText } from '#content/visible-text.ts';

/** Half-width, without blanks and signs that nobody sees: the form in which words of a spreadsheet are compared. */
export const squeezed = (text: string): string => visibleText(text).normalize('NFKC').replace(/\s+/g, '');

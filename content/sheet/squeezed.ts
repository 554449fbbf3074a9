/** Half-width, without blanks: the form in which words of a spreadsheet are compared. */
export const squeezed = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '');

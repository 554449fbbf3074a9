/**
 * The kit's own few words stand in Chinese like all words of the product, and are translated by whoever uses the kit:
 * `ui/` knows neither the product nor where its translations come from.
 */
type Translate = (text: string, values?: Readonly<Record<string, string | number>>) => string;

let translate: Translate = (text) => text;

/** Called once before the first render. */
export function speakWith(words: Translate): void {
  translate = words;
}

/** The text in the person's language. */
export function t(text: string, values?: Readonly<Record<string, string | number>>): string {
  return translate(text, values);
}

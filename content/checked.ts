/** A checked value, or a sentence in Chinese that says what is wrong with it. */
export type Checked<T> = { ok: true; value: T } | { ok: false; why: string };

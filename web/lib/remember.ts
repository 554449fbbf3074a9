/**
 * Settings that belong to this browser and not to the person (language, theme, text size). Storage may be full,
 * forbidden or missing (private windows, some web views): a setting is then forgotten, never an error.
 */
const prefix = 'lixue.';

/** The name under which the browser stores it, as other windows hear it. */
export const storedName = (name: string) => prefix + name;

/** The remembered text, or null. */
export function recall(name: string): string | null {
  try {
    return window.localStorage.getItem(storedName(name));
  } catch {
    return null;
  }
}

/** Remembers a text under a name; null forgets it. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) window.localStorage.removeItem(storedName(name));
    else window.localStorage.setItem(storedName(name), value);
  } catch {
    // Without storage the setting holds until the page closes.
  }
}

/** What a key does to the player. Seconds and shares are steps. */
type KeyMeaning =
  | { does: 'toggle' }
  | { does: 'seek'; seconds: number }
  | { does: 'volume'; by: number }
  | { does: 'mute' }
  | { does: 'fullscreen' };

interface Key {
  key: string;
  /** Alt, Ctrl or Meta: it is a shortcut of the browser or of the system. */
  modified: boolean;
  /** A word is being composed. */
  composing: boolean;
  /** What has the focus. */
  on: 'text' | 'control' | 'slider' | 'button' | 'elsewhere';
  /** It got the focus by being clicked, not by the keyboard. */
  clicked: boolean;
}

/**
 * What a key means: Space plays and pauses (spec §2), but not where text is written, nor on a control that the keyboard reached, which it presses. A control
 * that was clicked, a row of the directory or a tab, keeps the focus but does not take the key. A slider has no use for it, and would scroll the page.
 * Arrows seek and set the volume in the player, but not on controls, which have uses of their own for them: a
 * button, which was pressed a moment ago, has none. M and F are letters, so they count in the player alone.
 * @param inside whether the focus is inside the player
 */
export function keyMeaning({ key, modified, composing, on, clicked }: Key, inside: boolean): KeyMeaning | null {
  if (modified || composing || on === 'text') return null;
  if (key === ' ') return on === 'elsewhere' || clicked || (on === 'slider' && inside) ? { does: 'toggle' } : null;
  if (!inside) return null;
  if (key === 'm' || key === 'M') return { does: 'mute' };
  if (key === 'f' || key === 'F') return { does: 'fullscreen' };
  if (on === 'control' || on === 'slider') return null;
  if (key === 'ArrowRight') return { does: 'seek', seconds: 5 };
  if (key === 'ArrowLeft') return { does: 'seek', seconds: -5 };
  if (key === 'ArrowUp') return { does: 'volume', by: 0.1 };
  if (key === 'ArrowDown') return { does: 'volume', by: -0.1 };
  return null;
}

/** Whether a key that is held means the same again and again: what it turns on and off would flicker. */
export const goesOnHeld = ({ does }: KeyMeaning): boolean => does === 'seek' || does === 'volume';

/** What has the focus, for `keyMeaning`. */
export function focusKind(element: Element | null): Key['on'] {
  if (!(element instanceof HTMLElement)) return 'elsewhere';
  if (
    element.isContentEditable ||
    element.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea, select')
  )
    return 'text';
  if (element.matches('button:not([role], [aria-haspopup])')) return 'button';
  if (element.matches('input[type=range], [role=slider]')) return 'slider';
  return element.matches('button, a[href], input, summary, [role^=menuitem], [role=tab], [role=radio]')
    ? 'control'
    : 'elsewhere';
}

/**
 * Whether Space may be meant for the player though this has the focus, where a click gave it: what Space would press otherwise. Menus that are
 * open have the keyboard for themselves.
 */
export const givesSpaceUp = (element: Element): boolean =>
  element.matches(':is(button:not([role]), a[href], [role=tab]):not([aria-haspopup][aria-expanded=true])');

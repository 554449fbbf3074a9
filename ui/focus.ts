/**
 * Remembers where the keyboard is, and returns a function that brings it back there. For dialogs that are mounted open:
 * the library remembers the opener only of a dialog that it has seen closed before.
 */
export function rememberFocus(): () => void {
  const before = document.activeElement;
  return () => {
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  };
}

import { useSyncExternalStore } from 'react';

let bare = false;

/** Before the first drawing: whether only the frame is drawn, as the server draws pages of which it does not know what they show. */
export function drawBare(only: boolean): void {
  bare = only;
}

const never = () => () => {};

/** Whether the page itself is left out of this drawing. What takes a frame over draws it once as it stands, then with its page. */
export function useBareFrame(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => bare,
  );
}

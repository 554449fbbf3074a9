import { focusKind } from '#ui/player/keys.ts';

/** Somebody writes, or reads in a dialog: what they have begun is not taken from under them. */
export const isBusy = (): boolean =>
  focusKind(document.activeElement) === 'text' || document.querySelector('[role=dialog][aria-modal=true]') !== null;

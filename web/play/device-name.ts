import { DEVICE_LONGEST } from '#contract/values/feedback.ts';

/** What the browser calls itself and how large its window is, for a report of a film that does not play. */
export function deviceName(): string {
  const { userAgent } = navigator;
  const { innerWidth, innerHeight, devicePixelRatio } = window;
  return `${userAgent} · ${innerWidth}×${innerHeight} @${devicePixelRatio}`.slice(0, DEVICE_LONGEST);
}

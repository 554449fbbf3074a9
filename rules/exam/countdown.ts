type TimeLevel = 'calm' | 'amber' | 'cinnabar';

/** Shares of the whole time below which the timer is amber and cinnabar (design language, Exam). */
const AMBER = 0.2;
const CINNABAR = 0.05;

/** How urgent the time is: amber under 20 % of the whole, cinnabar under 5 % (design language, Exam). */
export function timeLevel(left: number, whole: number): TimeLevel {
  if (left < whole * CINNABAR) return 'cinnabar';
  return left < whole * AMBER ? 'amber' : 'calm';
}

/** Announced on every paper, beside the two changes of colour; milliseconds. */
const ALWAYS = [5 * 60_000, 60_000];

/**
 * Whether a threshold was passed between two readings of the time left, which is told to people who do not see the timer and its
 * colour: 20 % and 5 % of the whole time, five minutes and one. What is told is the time that is left, in seconds rounded up: a page
 * that slept over a threshold wakes with less than that. Null without one. Arguments in milliseconds.
 */
export function timeToAnnounce(before: number, left: number, whole: number): number | null {
  const passed = [whole * AMBER, whole * CINNABAR, ...ALWAYS].some(
    (threshold) => before > threshold && left <= threshold,
  );
  return passed && left > 0 ? Math.ceil(left / 1000) : null;
}

/** `05:09` or `1:05:09`. Time left is rounded up, so that 00:00 shows only when it is really over. */
export function formatLeft(milliseconds: number): string {
  return formatSpent(Math.max(0, Math.ceil(milliseconds / 1000)));
}

/** Seconds spent, as `05:09` or `1:05:09`. */
export function formatSpent(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

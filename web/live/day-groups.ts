import { dayInChina } from '#web/lib/format.ts';

/** Lessons under the day on which they begin in China, in the order in which they come. */
export function byDay<L extends { startDateExt: string }>(lessons: readonly L[]): { day: string; lessons: L[] }[] {
  const groups: { day: string; lessons: L[] }[] = [];
  for (const lesson of lessons) {
    const last = groups.at(-1);
    if (last?.day === lesson.startDateExt) last.lessons.push(lesson);
    else groups.push({ day: lesson.startDateExt, lessons: [lesson] });
  }
  return groups;
}

/** How a day is called: today and tomorrow by these words, else null. */
export function namedDay(day: string, now: number): 'today' | 'tomorrow' | null {
  if (day === dayInChina(now)) return 'today';
  return day === dayInChina(now + 86_400_000) ? 'tomorrow' : null;
}

/** Times between two looks at a list: at the next beginning or end in it, at most a minute, at least a second. Milliseconds. */
export function untilNextChange(lessons: readonly { startTime: number; endTime: number }[], now: number): number {
  const ahead = lessons.flatMap(({ startTime, endTime }) => [startTime, endTime]).filter((at) => at > now);
  return Math.min(60_000, Math.max(1000, Math.min(...ahead, now + 60_000) - now));
}

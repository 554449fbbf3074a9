import { IconClipboardCheck, IconPencil, IconPlayerPlay, IconRepeat } from '@tabler/icons-react';
import type { PlanKind } from '#contract/values/plan.ts';
import { currentLanguage, t } from '#web/lib/t.ts';

export const kindIcons = {
  lesson: IconPlayerPlay,
  practice: IconPencil,
  review: IconRepeat,
  paper: IconClipboardCheck,
} as const satisfies Record<PlanKind, unknown>;

/**
 * How a student is met at home. Who has no course yet is welcome; who has one and did nothing yet begins, and has nothing to go on with; on the day of
 * an exam nobody is sent on to learn. Until that is known, the name alone.
 */
export function sayGreeting(
  name: string,
  today: { packs: readonly { daysLeft: number | null }[]; begun: number } | undefined,
): string {
  if (today === undefined) return t('{name}，您好', { name });
  const { packs, begun } = today;
  if (packs.length === 0) return t('{name}，欢迎来到砺学', { name });
  if (packs.some(({ daysLeft }) => daysLeft === 0)) return t('{name}，今天考试，加油', { name });
  return begun === 1 ? t('{name}，接着学吧', { name }) : t('{name}，开始学吧', { name });
}

/** A duration as 45 分钟, 2 小时, 2 小时 30 分钟. */
export function sayMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return t('{n} 分钟', { n: rest });
  return rest === 0 ? t('{n} 小时', { n: hours }) : t('{hours} 小时 {n} 分钟', { hours, n: rest });
}

/** A long duration: in hours from two on, where minutes say nothing. */
export function sayHours(minutes: number): string {
  return minutes < 120 ? sayMinutes(minutes) : t('{n} 小时', { n: Math.round(minutes / 60) });
}

/** What a task is, as one reads it in a list. */
export function sayTask({ kind, name, count }: { kind: PlanKind; name: string; count: number }): string {
  if (kind === 'lesson') return name;
  if (kind === 'practice') return t('{chapter} · 练 {count} 题', { chapter: name, count });
  return kind === 'review' ? t('复习 {count} 题', { count }) : name;
}

/** Names tasks for React, in their order: the same from its first look to its tick, also where a lesson stands there twice, done and to go on with. */
export function taskKeys(
  tasks: readonly {
    kind: PlanKind;
    packId: number;
    firstVideoId: number | null;
    chapterId: number | null;
    examId: number | null;
  }[],
): string[] {
  const met = new Map<string, number>();
  return tasks.map(({ kind, packId, firstVideoId, chapterId, examId }) => {
    // The exam of a practice comes and goes with its record.
    const about = `${kind} ${packId} ${firstVideoId ?? chapterId ?? (kind === 'paper' ? examId : 0)}`;
    const times = met.get(about) ?? 0;
    met.set(about, times + 1);
    return `${about} ${times}`;
  });
}

/** What kind of thing it is, in a word. */
export function sayKind(kind: PlanKind): string {
  return { lesson: t('看课'), practice: t('做题'), review: t('到期复习'), paper: t('整卷') }[kind];
}

/** The names of the days of the week, short, from Monday on. */
export function weekdays(): string[] {
  const format = new Intl.DateTimeFormat(currentLanguage(), { weekday: 'short', timeZone: 'UTC' });
  // 1970-01-05 was a Monday.
  return Array.from({ length: 7 }, (_, day) => format.format((day + 4) * 86_400_000));
}

/** The moment at which a day (YYYY-MM-DD) begins in China. */
export const momentOf = (date: string) => Date.parse(`${date}T00:00:00+08:00`);

/** From 0, Monday, to 6. */
export const weekdayOf = (date: string) => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;

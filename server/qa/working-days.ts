import table from 'chinese-days/dist/chinese-days.json' with { type: 'json' };
import type { WorkingDays } from '#rules/qa/promise.ts';
import type { Query } from '#server/db/open.ts';
import { readSetting, writeSetting } from '#server/db/settings-store.ts';

/**
 * The working days of China: those that the State Council has announced, as chinese-days 1.5.7 (MIT, kept up each November) has them, and
 * the years that the operator entered, which go before. Only its table is read: its functions take any year for known and any day without
 * an entry for a plain one, and shift days with the zone of the machine.
 */
const SETTING = 'working_days';

/** One year as it was entered: names of holidays by day, and the weekend days that are worked. */
export interface EnteredYear {
  off: Record<string, string>;
  worked: string[];
}
type Entered = Record<string, EnteredYear>;

const yearOf = (day: string) => Number(day.slice(0, 4));

/** A year is known when its first and its last holiday are: they are announced together. */
const announced: WorkingDays = {
  years: new Set(
    Object.keys(table.holidays)
      .map(yearOf)
      .filter((year) => `${year}-01-01` in table.holidays && `${year}-10-01` in table.holidays),
  ),
  // "New Year's Day,元旦,1"
  off: new Map(Object.entries(table.holidays).map(([day, names]) => [day, names.split(',')[1] ?? ''])),
  worked: new Set(Object.keys(table.workdays)),
};

async function readEntered(query: Query): Promise<Entered> {
  return JSON.parse((await readSetting(query, SETTING)) ?? '{}') as Entered;
}

/** All working days that are known here. */
export async function readWorkingDays(query: Query): Promise<WorkingDays> {
  const entered = await readEntered(query);
  const years = new Set(Object.keys(entered).map(Number));
  if (years.size === 0) return announced;
  const others = (day: string) => !years.has(yearOf(day));
  const all = Object.values(entered);
  return {
    years: new Set([...announced.years, ...years]),
    off: new Map([
      ...[...announced.off].filter(([day]) => others(day)),
      ...all.flatMap(({ off }) => Object.entries(off)),
    ]),
    worked: new Set([...[...announced.worked].filter(others), ...all.flatMap(({ worked }) => worked)]),
  };
}

/** Enters the days of a year in place of those that were known; null takes what was entered away. */
export async function saveWorkingDays(query: Query, year: number, days: EnteredYear | null): Promise<void> {
  const { [year]: _before, ...others } = await readEntered(query);
  await writeSetting(query, SETTING, JSON.stringify(days === null ? others : { ...others, [year]: days }));
}

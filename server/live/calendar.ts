import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';

interface CalendarEvent {
  id: number;
  title: string;
  packName: string;
  startTime: number;
  endTime: number;
  createdAt: number;
  /** The page of the lesson, an absolute address; empty: unknown. */
  url: string;
}

/** Minutes before the beginning at which a calendar reminds. */
const REMIND = 15;

/**
 * A live lesson as a calendar file (RFC 5545) with a reminder a quarter of an hour before. Its times are written in UTC, which every
 * calendar shows in its own zone. The lesson keeps its name there, so that a file fetched again moves the entry.
 */
export function calendarOf({ id, title, packName, startTime, endTime, createdAt, url }: CalendarEvent): string {
  const calendar = ical({
    prodId: { company: 'Lixue', product: 'live', language: 'ZH' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const event = calendar.createEvent({
    id: `live-${id}@lixue`,
    start: new Date(startTime),
    end: new Date(endTime),
    stamp: new Date(createdAt),
    summary: title,
    description: packName,
    status: ICalEventStatus.CONFIRMED,
  });
  if (url !== '') event.url(url);
  event.createAlarm({ trigger: REMIND * 60 });
  return calendar.toString();
}

import ical, { ICalEventStatus } from 'ical-generator';

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
/** Signs that no text of a calendar file may have (RFC 5545 §3.3.11). */
const CONTROLS = /\p{Cc}/gu;
/** The reminder of an entry, with what the library writes behind it. */
const ALARM = /^(BEGIN:VALARM\r\n(?:.*\r\n)*?END:VALARM\r\n)((?:.*\r\n)*?)(?=END:VEVENT\r\n)/mu;

/**
 * A live lesson as a calendar file (RFC 5545) with a reminder a quarter of an hour before. Its times are written in UTC, which every
 * calendar shows in its own zone. The lesson keeps its name there, so that a file fetched again moves the entry.
 */
export function calendarOf({ id, title, packName, startTime, endTime, createdAt, url }: CalendarEvent): string {
  // It says no method: one that is published would need an organizer (RFC 5546 §3.2.1).
  const calendar = ical({ prodId: { company: 'Lixue', product: 'live', language: 'ZH' } });
  const event = calendar.createEvent({
    id: `live-${id}@lixue`,
    start: new Date(startTime),
    end: new Date(endTime),
    stamp: new Date(createdAt),
    summary: title.replaceAll(CONTROLS, ' '),
    description: packName.replaceAll(CONTROLS, ' '),
    status: ICalEventStatus.CONFIRMED,
  });
  if (url !== '') event.url(url);
  event.createAlarm({ trigger: REMIND * 60 });
  // What an entry says stands before its reminders (RFC 5545 §3.6.1), and the last line ends as the others do (§3.1).
  return `${calendar.toString().trimEnd()}\r\n`.replace(ALARM, '$2$1');
}

import type { Why } from '#contract/envelope.ts';
import {
  ANNOUNCEMENT_LONGEST,
  ANNOUNCEMENT_MOST_DAYS,
  ANNOUNCEMENT_NAME_LONGEST,
  type AnnouncementState,
  NOTICE_SECONDS,
  type NoticeKind,
  type NoticeTopic,
  topicOfKind,
} from '#contract/values/notice.ts';
import { DAY } from '#rules/clock/china-day.ts';
import { tidyText } from '#rules/wording/tidy.ts';

/** Whether a person is told of a kind of thing: what must come comes, of the rest what they have not refused (decision 044). */
export function isTold(kind: NoticeKind, unwanted: ReadonlySet<NoticeTopic>): boolean {
  const topic = topicOfKind[kind];
  return topic === undefined || !unwanted.has(topic);
}

/** When an announcement is shown, and whether it was taken back. */
interface Shown {
  fromAt: number;
  untilAt: number;
  withdrawnAt: number | null;
}

/** How an announcement stands: it is shown from its first moment until before its last one. */
export function announcementState({ fromAt, untilAt, withdrawnAt }: Shown, now: number): AnnouncementState {
  if (withdrawnAt !== null) return 'withdrawn';
  if (now >= untilAt) return 'over';
  return now < fromAt ? 'planned' : 'shown';
}

type Asked = { name: string; content: string; fromAt?: number | undefined; untilAt: number };
type Fault = { ok: false; why: Why; field: 'name' | 'content' | 'fromAt' | 'untilAt' };

/** What is announced, as it is stored, or why not. What was to begin before now begins now. */
export function checkAnnouncement(
  { name: typedName, content: typed, fromAt: asked, untilAt }: Asked,
  now: number,
): { ok: true; name: string; content: string; fromAt: number; untilAt: number } | Fault {
  const name = tidyText(typedName).replace(/\s+/g, ' ');
  const content = tidyText(typed.replaceAll('\r\n', '\n'));
  if (name === '') return { ok: false, why: 'announceNoName', field: 'name' };
  if ([...name].length > ANNOUNCEMENT_NAME_LONGEST) return { ok: false, why: 'textTooLong', field: 'name' };
  if (content === '') return { ok: false, why: 'announceNoContent', field: 'content' };
  if ([...content].length > ANNOUNCEMENT_LONGEST) return { ok: false, why: 'textTooLong', field: 'content' };
  const fromAt = Math.max(now, asked ?? now);
  const times = untilAt > fromAt && untilAt - now <= ANNOUNCEMENT_MOST_DAYS * DAY;
  return times ? { ok: true, name, content, fromAt, untilAt } : { ok: false, why: 'announceTimes', field: 'untilAt' };
}

/** Whole seconds until the notice dialog may be closed, 0: now (spec §4). `openFor`: milliseconds since it opened. */
export function secondsToClose(openFor: number): number {
  return Math.max(0, Math.ceil(NOTICE_SECONDS - Math.max(0, openFor) / 1000));
}

import type { Why } from '#contract/envelope.ts';
import {
  ENDED,
  LIVE,
  LIVE_ADDRESS_LONGEST,
  LIVE_MOST_DAYS,
  LIVE_MOST_HOURS,
  LIVE_TITLE_LONGEST,
  type LivePlatform,
  type LiveState,
  OTHER_PLATFORM,
  REPLAY,
  UPCOMING,
} from '#contract/values/live.ts';
import { DAY } from '#rules/clock/china-day.ts';
import { tidyText } from '#rules/wording/tidy.ts';

const HOUR = 3_600_000;

/** When a live lesson is held, and where it can be seen afterwards. */
interface Held {
  startTime: number;
  endTime: number;
  replayUrl: string;
}

/**
 * How a live lesson on another platform stands: it follows the clock alone, since nothing tells this site what happens there. It is live
 * from its first moment until before its last one; a replay is there once its address is.
 */
export function liveState({ startTime, endTime, replayUrl }: Held, now: number): LiveState {
  if (now < startTime) return UPCOMING;
  if (now < endTime) return LIVE;
  return replayUrl === '' ? ENDED : REPLAY;
}

/** What a teacher says of a live lesson. */
interface Asked {
  livePlatform: LivePlatform;
  title: string;
  startTime: number;
  endTime: number;
  liveUrlPc: string;
  liveUrlH5?: string | undefined;
  replayUrl?: string | undefined;
}

type Checked =
  | ({ ok: true } & Required<{ [F in keyof Asked]: Exclude<Asked[F], undefined> }>)
  | { ok: false; why: Why; field: keyof Asked };

/** An address that students are sent to: https, with a host, without a name and password in it, nothing that a browser would mend. */
const isAddress = (text: string) =>
  text.length <= LIVE_ADDRESS_LONGEST && /^https:\/\/[^\s/?#@\\]+(?:[/?#][^\s\\]*)?$/.test(text);

/** When a lesson was planned for before, and what became of it in the room of this site. */
interface Was {
  startTime: number;
  endTime: number;
  /** Null: not yet, or held elsewhere, where nothing tells this site; left out: a page that does not know, its server will say. */
  startedAt?: number | null;
  endedAt?: number | null;
}

/**
 * What may be planned: a title, at most twelve hours within a year, and on another platform https addresses (the room of this site has
 * none). What lies behind can be changed (a replay comes afterwards), but a lesson is not planned into the past.
 * What has started keeps its beginning: who is in its room would be sent away by another day, and who booked it told of that one; its end
 * may be moved. What has ended keeps both.
 * @param was null: it is a new one
 */
export function checkLive(asked: Asked, was: Was | null, now: number): Checked {
  const title = tidyText(asked.title).replace(/\s+/gu, ' ');
  const { startTime, endTime, livePlatform } = asked;
  const elsewhere = livePlatform === OTHER_PLATFORM;
  const said = elsewhere ? [asked.liveUrlPc, asked.liveUrlH5, asked.replayUrl] : [];
  const [liveUrlPc = '', liveUrlH5 = '', replayUrl = ''] = said.map(tidyText);
  const fault = (why: Why, field: keyof Asked): Checked => ({ ok: false, why, field });
  if (title === '') return fault('liveNoTitle', 'title');
  if ([...title].length > LIVE_TITLE_LONGEST) return fault('textTooLong', 'title');
  const moved = was === null || was.startTime !== startTime || was.endTime !== endTime;
  if (moved && typeof was?.endedAt === 'number')
    return fault('liveEnded', was.startTime !== startTime ? 'startTime' : 'endTime');
  if (typeof was?.startedAt === 'number' && was.startTime !== startTime) return fault('liveStarted', 'startTime');
  if (endTime <= startTime || endTime - startTime > LIVE_MOST_HOURS * HOUR) return fault('liveTimes', 'endTime');
  if (moved && startTime > now + LIVE_MOST_DAYS * DAY) return fault('liveTimes', 'startTime');
  if (moved && endTime <= now) return fault('liveOver', 'endTime');
  if (elsewhere && !isAddress(liveUrlPc)) return fault('liveAddress', 'liveUrlPc');
  if (liveUrlH5 && !isAddress(liveUrlH5)) return fault('liveAddress', 'liveUrlH5');
  if (replayUrl && !isAddress(replayUrl)) return fault('liveAddress', 'replayUrl');
  return { ok: true, livePlatform, title, startTime, endTime, liveUrlPc, liveUrlH5, replayUrl };
}

/** Whether a lesson can still be booked: before it begins (spec §4; afterwards one enters it). */
export const mayBook = (state: LiveState): boolean => state === UPCOMING;

/** What happens when a person asks to enter a live lesson (spec §6). */
type LiveEntry = 'login' | 'join' | 'wait' | 'open' | 'over';

/**
 * Where a press on a live lesson leads: visitors sign in first, who has not its pack is told to join it, what has not begun is waited for,
 * what is live or has a replay opens, what is over has nothing to open.
 */
export function liveEntry(
  state: LiveState,
  { signedIn, buyState }: { signedIn: boolean; buyState: number },
): LiveEntry {
  if (!signedIn) return 'login';
  if (buyState !== 1) return 'join';
  if (state === UPCOMING) return 'wait';
  return state === ENDED ? 'over' : 'open';
}

/** What the addresses of a lesson are to who may enter it: where it is live, or its replay; before and after there is nothing to open. */
export function addressesNow(
  { liveUrlPc, liveUrlH5, replayUrl }: { liveUrlPc: string; liveUrlH5: string; replayUrl: string },
  state: LiveState,
): { liveUrlPc: string; liveUrlH5: string } {
  if (state === LIVE) return { liveUrlPc, liveUrlH5: liveUrlH5 || liveUrlPc };
  if (state === REPLAY) return { liveUrlPc: replayUrl, liveUrlH5: replayUrl };
  return { liveUrlPc: '', liveUrlH5: '' };
}

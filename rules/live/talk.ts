import type { Why } from '#contract/envelope.ts';
import {
  POLL_FEWEST,
  POLL_MOST,
  POLL_OPTION_LONGEST,
  POLL_QUESTION_LONGEST,
  SAY_MOST,
  SAY_WITHIN,
  TALK_BEFORE,
  TALK_LONGEST,
  TALK_OPEN,
  TALK_OVER,
  type TalkKind,
  type TalkStage,
} from '#contract/values/live-talk.ts';
import { checkText, countText } from '#rules/qa/text.ts';
import { tidyText } from '#rules/wording/tidy.ts';

/** Milliseconds before the planned beginning from which people talk: whoever is early says hello. */
const EARLY = 30 * 60_000;

/** How the room of a lesson stands by its times: who is early may talk, after its end nobody. @param endedAt null: not over */
export function talkStage({ startTime, endTime }: { startTime: number; endTime: number }, now: number): TalkStage {
  if (now < startTime - EARLY) return TALK_BEFORE;
  return now < endTime ? TALK_OPEN : TALK_OVER;
}

/**
 * What is stored of a message: at most 200 code points with CRLF as LF, of which somebody sees at least one. Empty lines are left out: a
 * message of line ends would push the others off the screen.
 */
export function checkSaid(
  typed: string,
): { ok: true; text: string } | { ok: false; why: 'commentEmpty' | 'textTooLong' } {
  const checked = checkText(typed, TALK_LONGEST);
  if (!checked.ok) return checked;
  // Letters of no width, and those that turn the direction of what follows them, are none that anybody sees.
  const seen = checked.text.replaceAll(/[\u200B\u2060\uFEFF\u202A-\u202E\u2066-\u2069]/gu, '');
  const text = seen.replaceAll(/[ \t]*[\n\r\u2028\u2029][\s]*/gu, '\n').trim();
  return /[^\s\p{Cf}\p{Cc}\u3164\u115F\u1160]/u.test(text) ? { ok: true, text } : { ok: false, why: 'commentEmpty' };
}

interface Speaker {
  teacher: boolean;
  stage: TalkStage;
  muted: boolean;
  mutedAll: boolean;
  /** How many messages the person sent in the last `SAY_WITHIN` milliseconds. */
  lately: number;
}

/** Whether somebody may speak now: while the room is open, not muted, not too fast. Teachers are neither muted nor counted. */
export function maySay({ teacher, stage, muted, mutedAll, lately }: Speaker): { ok: true } | { ok: false; why: Why } {
  if (stage !== TALK_OPEN) return { ok: false, why: 'liveNotNow' };
  if (teacher) return { ok: true };
  if (muted) return { ok: false, why: 'liveMuted' };
  if (mutedAll) return { ok: false, why: 'liveMutedAll' };
  return lately < SAY_MOST ? { ok: true } : { ok: false, why: 'liveTooFast' };
}

/** From when on an earlier message counts for the speed of a person. */
export const latelyFrom = (now: number): number => now - SAY_WITHIN;

/** Who may take a message out of sight: teachers any, its author an own one. */
export const mayDelete = (asker: { teacher: boolean; userId: number }, authorId: number): boolean =>
  asker.teacher || asker.userId === authorId;

/** Kinds that only teachers and the person concerned are told: nobody is shown up before the class. */
const PRIVATE: ReadonlySet<TalkKind> = new Set(['muted', 'unmuted', 'handRaised', 'handLowered']);

/** Whether an event is told to somebody; else they are told its number alone. */
export const isTold = (
  { kind, toUserId }: { kind: TalkKind; toUserId: number },
  viewer: { teacher: boolean; userId: number },
): boolean => viewer.teacher || !PRIVATE.has(kind) || toUserId === viewer.userId;

/** What is stored of a poll: a question and two to six options, each by itself. */
export function checkPoll(
  question: string,
  options: readonly string[],
): { ok: true; question: string; options: string[] } | { ok: false; why: 'pollEmpty' | 'textTooLong' } {
  const tidy = (typed: string) => tidyText(typed).replace(/\s+/gu, ' ');
  const asked = tidy(question);
  const offered = options.map(tidy);
  if (asked === '' || offered.includes('')) return { ok: false, why: 'pollEmpty' };
  if (offered.length < POLL_FEWEST || offered.length > POLL_MOST) return { ok: false, why: 'pollEmpty' };
  if (new Set(offered).size < offered.length) return { ok: false, why: 'pollEmpty' };
  if (countText(asked) > POLL_QUESTION_LONGEST) return { ok: false, why: 'textTooLong' };
  if (offered.some((option) => countText(option) > POLL_OPTION_LONGEST)) return { ok: false, why: 'textTooLong' };
  return { ok: true, question: asked, options: offered };
}

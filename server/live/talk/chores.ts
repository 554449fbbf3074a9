import { TALK_BEAT } from '#contract/values/live-talk.ts';
import type { Chore } from '#server/chores.ts';
import type { TalkParts } from './talk.ts';

/** How much of somebody's attendance a killed server loses at most. */
const ATTENDANCE_EVERY = 10_000;
/** How soon who has lost their right is out of the room. */
const RIGHTS_EVERY = 15_000;

/** What time does in the rooms of live lessons; each process sees to its own windows. */
export function talkChores({ hub }: Pick<TalkParts, 'hub'>): Chore[] {
  return [
    { name: 'keep live attendance', every: ATTENDANCE_EVERY, run: (now) => hub.keepAttendance(now) },
    { name: 'end live talk without right', every: RIGHTS_EVERY, run: () => hub.endUnentitled() },
    { name: 'repeat how live talk stands', every: TALK_BEAT, run: () => hub.beat() },
  ];
}

import type { Data } from '#web/lib/send.ts';
import type { LiveLesson } from './LiveFacts.tsx';
import { LiveRows } from './LiveRows.tsx';

type Planned = Data<'GET /api/common/live'>['list'][number];

/** A lesson as somebody sees it of whom nothing is known: no booking, no way in. */
const unknown = (lesson: Planned): LiveLesson => ({
  ...lesson,
  ...{ appointmentState: 0, freeState: 0, buyState: 0, livePlatform: 1, roomId: 0, connectState: 0 },
  ...{ liveUrlPc: '', liveUrlH5: '', streamState: 'waiting' as const, replayFileId: 0 },
});

/** Live lessons that a visitor, or who has not their pack, may know of. A press on one leads to sign-in, or says what is missing. */
export function SchoolLives({
  list,
  signedIn,
  named = true,
  heading = 'h3',
}: {
  list: readonly Planned[];
  signedIn: boolean;
  named?: boolean;
  heading?: 'h2' | 'h3';
}) {
  return <LiveRows list={list.map(unknown)} signedIn={signedIn} named={named} heading={heading} />;
}

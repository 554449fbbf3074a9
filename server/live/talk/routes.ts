import type { Why } from '#contract/envelope.ts';
import {
  Attendance,
  ClosePoll,
  DeleteTalk,
  ListHands,
  MuteTalk,
  OpenPoll,
  PinTalk,
  RaiseHand,
  ReadTalk,
  SayTalk,
  TalkReplay,
  TalkWatch,
  VotePoll,
} from '#contract/live-talk.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ServeSocket } from '#server/http/socket.ts';
import { listAttendance } from './attendance.ts';
import { enterRoom, viewerOf } from './room.ts';
import {
  closePoll,
  deleteSaid,
  listHands,
  moveHand,
  mute,
  openPoll,
  pin,
  readReplay,
  readRoom,
  say,
  type TalkParts,
  vote,
} from './talk.ts';

const answer = <T>(done: { ok: true; data: T } | { ok: false; why: Why }) => (done.ok ? done.data : refuse(done.why));

/** Binds the calls and the socket of contract/live-talk.ts. */
export function talkRoutes(serve: Serve, serveSocket: ServeSocket, parts: TalkParts): void {
  serve(ReadTalk, async ({ input, user }) => answer(await readRoom(parts, viewerOf(user), input)));
  serve(SayTalk, async ({ input, user, arrivedAt }) => answer(await say(parts, viewerOf(user), input, arrivedAt)));
  serve(DeleteTalk, async ({ input, user, arrivedAt: now }) =>
    answer(await deleteSaid(parts, viewerOf(user), { ...input, now })),
  );
  serve(MuteTalk, async ({ input, user, arrivedAt: now }) =>
    answer(await mute(parts, viewerOf(user), { ...input, muted: input.muted === 1, now })),
  );
  serve(PinTalk, async ({ input, user, arrivedAt: now }) =>
    answer(await pin(parts, viewerOf(user), { ...input, pinned: input.pinned === 1, now })),
  );
  serve(RaiseHand, async ({ input, user, arrivedAt: now }) =>
    answer(await moveHand(parts, viewerOf(user), { ...input, up: input.up === 1, now })),
  );
  serve(ListHands, async ({ input, user }) => answer(await listHands(parts, viewerOf(user), input.liveId)));
  serve(OpenPoll, async ({ input, user, arrivedAt }) =>
    answer(await openPoll(parts, viewerOf(user), input, arrivedAt)),
  );
  serve(ClosePoll, async ({ input, user, arrivedAt: now }) =>
    answer(await closePoll(parts, viewerOf(user), { ...input, now })),
  );
  serve(VotePoll, async ({ input, user, arrivedAt: now }) =>
    answer(await vote(parts, viewerOf(user), { ...input, now })),
  );
  serve(TalkReplay, async ({ input, user }) => answer(await readReplay(parts, viewerOf(user), input)));
  serve(Attendance, async ({ input, user }) => answer(await listAttendance(parts, viewerOf(user), input)));

  serveSocket(TalkWatch, async (socket, { input: { liveId }, user }) => {
    const viewer = viewerOf(user);
    let gone = false;
    let leave = () => {};
    socket.onClose(() => {
      gone = true;
      leave();
    });
    const entry = await enterRoom(parts.db.query, viewer, liveId);
    if (!entry.ok) return socket.close();
    if (gone) return;
    leave = await parts.hub.enter(liveId, { ...viewer, send: socket.send, close: socket.close });
    if (gone) leave();
  });
}

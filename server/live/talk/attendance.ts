import type { DataOf, InputOf } from '#contract/call.ts';
import type { Attendance } from '#contract/live-talk.ts';
import { attended } from '#rules/live/attendance.ts';
import { countEnrolled } from '#server/course/enrolment-store.ts';
import { readPeople } from '#server/user/store.ts';
import { readPresences } from './presence-store.ts';
import { enterRoom, heldOf, type Viewer } from './room.ts';
import type { TalkParts } from './talk.ts';

const byName = new Intl.Collator('zh-CN').compare;

/** Who was in a lesson, by name: from when to when, and for how many minutes. */
export async function listAttendance(
  { db: { query }, hub }: TalkParts,
  viewer: Viewer,
  { liveId, pageNum, pageSize }: InputOf<typeof Attendance>,
): Promise<{ ok: true; data: DataOf<typeof Attendance> } | { ok: false; why: 'notFound' | 'notEnrolled' }> {
  const entry = await enterRoom(query, viewer, liveId);
  if (!entry.ok) return entry;
  const presences = await readPresences(query, liveId);
  const held = heldOf(entry.row);
  const there = [...presences].flatMap(([userId, stretches]) => {
    const found = attended(stretches, held);
    return found === null ? [] : [{ userId, ...found }];
  });
  const people = await readPeople(
    query,
    there.map(({ userId }) => userId),
  );
  const here = hub.presentIn(liveId);
  const rows = there
    .map((row) => {
      const { nickname = '', validPhoneExt = '' } = people.get(row.userId) ?? {};
      return { ...row, nickname, validPhoneExt, here: here.has(row.userId) };
    })
    .sort((one, other) => byName(one.nickname, other.nickname) || one.userId - other.userId);
  return {
    ok: true,
    data: {
      list: rows.slice((pageNum - 1) * pageSize, pageNum * pageSize),
      total: rows.length,
      pages: Math.ceil(rows.length / pageSize),
      pageNum,
      title: entry.row.title,
      students: await countEnrolled(query, entry.row.pack_id),
    },
  };
}

import { afterAll, describe, expect, it } from 'vitest';
import { chinaTime } from '#rules/clock/china-day.ts';
import { endEnrolment } from '#server/course/enrolment-store.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';

const LIST = 'GET /app/live/list';
const ROOM = 'GET /app/live/room';
const BOOK = 'POST /app/live/appointment';
const UNBOOK = 'POST /app/live/appointment_cancel';
const CALENDAR = 'GET /app/live/calendar';
const SAVE = 'POST /app/live/save';
const START = 'POST /app/live/start';
const END = 'POST /app/live/end';
const CANCEL = 'POST /app/live/cancel';
const TAUGHT = 'GET /app/live/teach_list';
const SCHOOL = 'GET /api/common/live';
const CATALOGUE = 'GET /app/common/course_live_catalog';
const NOTICES = 'GET /app/common/notice';
const TELL = 'tell of live lessons';
const HOUR = 3_600_000;
/** As China's clocks show it, to the minute. */
const saidTime = (at: number) => chinaTime(at).slice(0, 16);

describe.each(databases)('live lessons on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused, raw, time, user } = kit;

  /** Two students of a pack of their own, somebody without it, and a teacher with a lesson in an hour. */
  async function scene() {
    const [as, mate, other, teacher] = [await user(), await user(), await user(), await user('teacher')];
    const { packId } = await makePack(kit, { students: [as, mate] });
    const asked = {
      ...{ packId, teacherId: teacher.userId, title: '考前冲刺' },
      ...{ startTime: time.now + HOUR, endTime: time.now + 3 * HOUR },
      ...{ liveUrlPc: 'https://live.example.cn/pc', liveUrlH5: 'https://live.example.cn/h5' },
    };
    const save = (more: object = {}) => ok(SAVE, { ...asked, ...more }, { as: teacher });
    const lesson = await save();
    const list = async (by: TestUser = as, more: object = { packId }) => (await ok(LIST, more, { as: by })).list;
    const told = async (by: TestUser = as) =>
      (await ok(NOTICES, {}, { as: by })).list.map(({ name, content }) => [name, content]);
    return { as, mate, other, teacher, packId, asked, save, lesson, list, told };
  }

  it('tell a visitor of no replay that is not on offer', async () => {
    const { lesson, save, packId, teacher } = await scene();
    const called = await save();
    for (const [at, { id }] of [lesson, called].entries())
      await kit.db.query
        .updateTable('live_lessons')
        .set({ replay_media_id: packId * 1000 + at })
        .where('id', '=', id)
        .execute();
    const heard = (at: number) => refused('GET /app/video/auth', { fileId: packId * 1000 + at });
    expect(await heard(0)).toBe('notSignedIn');
    expect(await heard(1)).toBe('notSignedIn');
    await ok(CANCEL, { id: called.id }, { as: teacher });
    expect(await heard(1), 'as one that is none').toBe(await heard(2));
    await kit.db.query.updateTable('packs').set({ archived: 1 }).where('id', '=', packId).execute();
    expect(await heard(0)).toBe('notFound');
  });

  it.each([
    ['first', 0],
    ['last', 1],
  ])('with one replay, the %s of them cancelled: a visitor hears of the other one', async (_which, gone) => {
    const { lesson, save, packId, teacher } = await scene();
    const both = [lesson, await save()].map(({ id }) => id);
    const media = packId * 1000 + 7;
    await kit.db.query.updateTable('live_lessons').set({ replay_media_id: media }).where('id', 'in', both).execute();
    await ok(CANCEL, { id: both[gone] ?? 0 }, { as: teacher });
    expect(await refused('GET /app/video/auth', { fileId: media })).toBe('notSignedIn');
  });

  it('go from upcoming over live to ended, or to a replay, by the clock', async () => {
    const { as, save, lesson, list, packId } = await scene();
    const where = { liveUrlPc: '', liveUrlH5: '' };
    expect(await list()).toEqual([
      {
        ...{ id: lesson.id, packId, packName: expect.any(String), title: '考前冲刺', state: 1, ...where },
        ...{
          startDateExt: saidTime(lesson.startTime).slice(0, 10),
          startTime: lesson.startTime,
          endTime: lesson.endTime,
        },
        ...{ teacherName: expect.stringMatching(/./), teacherAvatarUrl: '' },
        ...{ appointmentState: 0, freeState: 1, buyState: 1, livePlatform: 1, roomId: 0, connectState: 0 },
        ...{ streamState: 'waiting', replayFileId: 0 },
      },
    ]);
    time.now = lesson.startTime;
    const open = { liveUrlPc: 'https://live.example.cn/pc', liveUrlH5: 'https://live.example.cn/h5' };
    expect(await list()).toMatchObject([{ state: 2, ...open }]);
    expect(await ok(ROOM, { liveId: lesson.id }, { as })).toMatchObject({ state: 2, ...open });
    time.now = lesson.endTime;
    expect(await list()).toMatchObject([{ state: 4, ...where }]);
    await save({ id: lesson.id, replayUrl: 'https://again.example.cn/1' });
    const again = { liveUrlPc: 'https://again.example.cn/1', liveUrlH5: 'https://again.example.cn/1' };
    expect(await list()).toMatchObject([{ state: 3, ...again }]);
  });

  it('tell no address to who has not the pack, nor to visitors', async () => {
    const { as, other, lesson, list, packId } = await scene();
    time.now = lesson.startTime;
    expect(await list(other)).toMatchObject([{ id: lesson.id, state: 2, buyState: 0, liveUrlPc: '', liveUrlH5: '' }]);
    expect(await list(other, {})).toEqual([]);
    expect((await list(as, {})).map(({ id }) => id)).toEqual([lesson.id]);
    for (const call of [ROOM, CALENDAR, BOOK, UNBOOK] as const)
      expect(await refused(call, { liveId: lesson.id }, { as: other })).toBe('notEnrolled');
    for (const call of [ROOM, CALENDAR, BOOK, UNBOOK] as const)
      expect(await refused(call, { liveId: 987_654_321 }, { as })).toBe('notFound');
    expect(await refused(LIST, { packId: 987_654_321 }, { as })).toBe('notFound');
    const seen = [(await ok(SCHOOL, {})).list, (await ok(CATALOGUE, { packId })).list];
    for (const of of seen) {
      expect(of.find(({ id }) => id === lesson.id)).toMatchObject({ title: '考前冲刺', state: 2 });
      expect(JSON.stringify(of)).not.toContain('example.cn');
    }
    await endEnrolment(kit.db.query, as.userId, packId);
    expect(await refused(ROOM, { liveId: lesson.id }, { as })).toBe('notEnrolled');
  });

  it('are booked once, given back, and not booked once they have begun', async () => {
    const { as, mate, teacher, lesson, list } = await scene();
    const liveId = lesson.id;
    await Promise.all([1, 2, 3].map(() => ok(BOOK, { liveId }, { as })));
    expect(await ok(BOOK, { liveId }, { as })).toMatchObject({ appointmentState: 1 });
    expect((await list(mate))[0]).toMatchObject({ appointmentState: 0 });
    const bookings = async () =>
      (await ok(TAUGHT, { pageSize: 100 }, { as: teacher })).list.find(({ id }) => id === liveId)?.bookings;
    expect(await bookings()).toBe(1);
    expect(await ok(UNBOOK, { liveId }, { as })).toMatchObject({ appointmentState: 0 });
    expect(await ok(UNBOOK, { liveId }, { as })).toMatchObject({ appointmentState: 0 });
    expect(await bookings()).toBe(0);
    await ok(BOOK, { liveId }, { as });
    time.now = lesson.startTime;
    expect(await refused(BOOK, { liveId }, { as: mate })).toBe('liveBegun');
    expect(await ok(BOOK, { liveId }, { as })).toMatchObject({ appointmentState: 1 });
  });

  it('tell who booked them that they begin, once, and again where they were moved', async () => {
    const { as, mate, lesson, save, told } = await scene();
    await ok(BOOK, { liveId: lesson.id }, { as });
    const startTime = lesson.startTime + HOUR;
    await save({ id: lesson.id, startTime });
    const moved = ['直播改期了：考前冲刺', expect.stringContaining(`改到 ${saidTime(startTime)}（北京时间）`)];
    expect(await told()).toEqual([moved]);
    time.now = lesson.startTime;
    await kit.chore(TELL);
    expect(await told()).toEqual([moved]);
    time.now = startTime;
    const sibling = await kit.sibling();
    await Promise.all([kit.chore(TELL), sibling.chore(TELL)]);
    await kit.chore(TELL);
    const begins = ['直播开始了：考前冲刺', '您预约的直播《考前冲刺》已经开始，快来观看吧。'];
    expect(await told()).toHaveLength(2);
    expect(await told()).toContainEqual(begins);
    expect(await told(mate)).toEqual([]);
    await sibling.close();
  });

  it('tell nobody of a beginning that passed while no server ran, or whose pack they lost', async () => {
    const { as, mate, lesson, packId, told } = await scene();
    await ok(BOOK, { liveId: lesson.id }, { as });
    await ok(BOOK, { liveId: lesson.id }, { as: mate });
    await endEnrolment(kit.db.query, mate.userId, packId);
    time.now = lesson.startTime;
    await kit.chore(TELL);
    expect(await told(mate)).toEqual([]);
    expect(await told()).toHaveLength(1);
    const late = await scene();
    await ok(BOOK, { liveId: late.lesson.id }, { as: late.as });
    time.now = late.lesson.endTime;
    await kit.chore(TELL);
    expect(await late.told()).toEqual([]);
  });

  it('are called off once, told to who booked, and are gone from the lists', async () => {
    const { as, teacher, lesson, list, told, packId, save } = await scene();
    await ok(BOOK, { liveId: lesson.id }, { as });
    for (const _ of [1, 2]) expect((await ok(CANCEL, { id: lesson.id }, { as: teacher })).cancelledAt).toBe(time.now);
    expect(await told()).toEqual([
      ['直播取消了：考前冲刺', expect.stringContaining(`原定 ${saidTime(lesson.startTime)}`)],
    ]);
    expect(await list()).toEqual([]);
    expect((await ok(CATALOGUE, { packId })).list).toEqual([]);
    expect(await refused(ROOM, { liveId: lesson.id }, { as })).toBe('notFound');
    expect(await refused(SAVE, { ...lesson, replayUrl: '' }, { as: teacher })).toBe('liveCancelled');
    time.now = lesson.startTime;
    await kit.chore(TELL);
    expect(await told()).toHaveLength(1);
    const over = await save();
    time.now = over.endTime;
    expect(await refused(CANCEL, { id: over.id }, { as: teacher })).toBe('liveOver');
  });

  it('are planned by teachers alone, once for a press, and keep their pack', async () => {
    const { as, teacher, asked, save } = await scene();
    for (const [call, input] of [
      [SAVE, asked],
      [CANCEL, { id: 1 }],
      [TAUGHT, {}],
    ] as const)
      expect((await raw(call, input, { as })).code).toBe(403);
    const clientId = 'press-0001';
    const [one, same] = [await save({ clientId }), await save({ clientId })];
    expect(same.id).toBe(one.id);
    const { packId } = await makePack(kit, {});
    expect(await refused(SAVE, { ...asked, packId, id: one.id }, { as: teacher })).toBe('notFound');
    expect(await refused(SAVE, { ...asked, packId: 987_654_321 }, { as: teacher })).toBe('notFound');
    expect(await refused(SAVE, { ...asked, teacherId: as.userId }, { as: teacher })).toBe('notFound');
    expect(await refused(SAVE, { ...asked, liveUrlPc: 'http://a.cn' }, { as: teacher })).toBe('liveAddress');
    expect(await refused(SAVE, { ...asked, id: 987_654_321 }, { as: teacher })).toBe('notFound');
  });

  it('keep their beginning once they have started in the room of this site, and both times once they have ended', async () => {
    const { as, asked, save, teacher, told } = await scene();
    const here = await save({ livePlatform: 0, liveUrlPc: '', liveUrlH5: '' });
    await ok(BOOK, { liveId: here.id }, { as });
    await ok(START, { liveId: here.id }, { as: teacher });
    const change = { ...asked, id: here.id, livePlatform: 0 as const };
    const DAY = 24 * HOUR;
    const moved = { ...change, startTime: asked.startTime + DAY, endTime: asked.endTime + DAY };
    expect(await refused(SAVE, moved, { as: teacher })).toBe('liveStarted');
    expect(await ok(SAVE, { ...change, endTime: asked.endTime + HOUR }, { as: teacher })).toMatchObject({
      ...{ startTime: here.startTime, endTime: here.endTime + HOUR, state: 2 },
    });
    await ok(END, { liveId: here.id }, { as: teacher });
    expect(await refused(SAVE, moved, { as: teacher })).toBe('liveEnded');
    expect(await refused(SAVE, change, { as: teacher })).toBe('liveEnded');
    const kept = { ...change, endTime: asked.endTime + HOUR, title: '考前冲刺（一）' };
    expect(await ok(SAVE, kept, { as: teacher })).toMatchObject({ title: '考前冲刺（一）', state: 4 });
    expect(await told()).toEqual([]);
  });

  it('are listed with what comes first and what is over last, page by page', async () => {
    const { save, lesson, list, as, packId } = await scene();
    const later = await save({ startTime: time.now + 5 * HOUR, endTime: time.now + 6 * HOUR });
    const soon = await save({ startTime: time.now + 100, endTime: time.now + 2 * HOUR });
    const past = await save({ startTime: time.now - HOUR, endTime: time.now + 1 });
    time.now += 10;
    expect((await list()).map(({ id }) => id)).toEqual([soon.id, lesson.id, later.id, past.id]);
    const page = await ok(LIST, { packId, pageNum: 2, pageSize: 3 }, { as });
    expect(page).toMatchObject({ total: 4, pages: 2, list: [{ id: past.id }] });
    expect((await ok(CATALOGUE, { packId })).list.map(({ id }) => id)).toEqual([past.id, soon.id, lesson.id, later.id]);
  });

  it('are calendar files that every program reads', async () => {
    const { as, lesson, save } = await scene();
    await save({ id: lesson.id, title: `甲;乙,丙\\丁${'很长的标题'.repeat(9)}\u0007\u001b[` });
    const { fileName, text } = await ok(CALENDAR, { liveId: lesson.id, site: 'https://lixue.example.cn' }, { as });
    expect(fileName).toMatch(/\.ics$/);
    const lines = text.split('\r\n');
    expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    const unfolded = text.replaceAll('\r\n ', '');
    for (const part of [
      'BEGIN:VCALENDAR',
      `UID:live-${lesson.id}@lixue`,
      `DTSTART:${new Date(lesson.startTime).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')}`,
      'SUMMARY:甲\\;乙\\,丙\\\\丁很长的标题',
      'TRIGGER:-PT15M',
      `https://lixue.example.cn/livePage/index.html?liveId=${lesson.id}&state=1`,
    ])
      expect(unfolded).toContain(part);
    // No control characters, and the reminder behind all that the entry says (RFC 5545 §3.3.11, §3.6.1).
    expect(unfolded.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u);
    const names = unfolded.split('\r\n').map((line) => line.replace(/[:;].*/, ''));
    expect(names.slice(names.lastIndexOf('TRIGGER'))).toEqual(['TRIGGER', 'DESCRIPTION', 'END', 'END', 'END', '']);
    expect(names.filter((name) => name === 'BEGIN' || name === 'END')).toHaveLength(6);
    expect(unfolded).not.toContain('METHOD:');
    expect((await raw(CALENDAR, { liveId: lesson.id, site: 'https://a.cn\nX:1' }, { as })).code).toBe(400);
  });
});

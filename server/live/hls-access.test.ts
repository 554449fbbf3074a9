import { afterAll, describe, expect, it } from 'vitest';
import { endEnrolment } from '#server/course/enrolment-store.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';

const GRANT = 'GET /app/live/watch_grant';
const HOUR = 3_600_000;

describe.each(databases)('a live lesson as HLS on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused, time, user } = kit;

  async function scene() {
    const [as, mate, other, teacher] = [await user(), await user(), await user(), await user('teacher')];
    const { packId } = await makePack(kit, { students: [as, mate] });
    const save = () =>
      ok(
        'POST /app/live/save',
        {
          ...{ packId, teacherId: teacher.userId, title: '考前冲刺', livePlatform: 0, liveUrlPc: '' },
          ...{ startTime: time.now - 60_000, endTime: time.now + HOUR },
        },
        { as: teacher },
      );
    return { as, mate, other, teacher, packId, liveId: (await save()).id, otherLiveId: (await save()).id };
  }

  /** The cookies of a grant, by the path that they are for. */
  async function granted(by: TestUser, liveId: number) {
    const answer = await kit.app.inject({
      url: `/app/live/watch_grant?liveId=${liveId}&as=hls`,
      headers: { authorization: `Bearer ${by.token}` },
    });
    expect(answer.statusCode).toBe(200);
    return answer.cookies as { name: string; value: string; path: string; httpOnly: boolean; sameSite: string }[];
  }

  /** What is answered to a browser. This server takes no streams: whoever may watch hears that there is nothing. */
  async function get(liveId: number | string, grant: string, by: TestUser | null, part = 'live.m3u8') {
    const session = by ? `lixue_session=${by.token}; ` : '';
    const { statusCode } = await kit.app.inject({
      url: `/app/live/hls/${liveId}/${part}`,
      headers: { cookie: `${session}lixue_grant=${grant}` },
    });
    return statusCode;
  }
  const MAY = 404;
  const MAY_NOT = 403;

  it('is for whom a grant was given, signed in, for this lesson and for half a day', async () => {
    const { as, mate, other, teacher, liveId, otherLiveId } = await scene();
    const cookies = await granted(as, liveId);
    expect(cookies).toEqual([
      expect.objectContaining({ path: '/app/live/watch', httpOnly: true, sameSite: 'Lax' }),
      expect.objectContaining({ path: `/app/live/hls/${liveId}/`, httpOnly: true, sameSite: 'Lax' }),
    ]);
    const [socket = '', own = ''] = cookies.map(({ value }) => value);
    const teachers = (await granted(teacher, liveId))[1]?.value ?? '';
    expect(await get(liveId, own, as)).toBe(MAY);
    expect(await get(liveId, teachers, teacher)).toBe(MAY);
    // Another's, another lesson's, of another form, without a session, with another's, changed, and none.
    expect(await get(liveId, teachers, as)).toBe(MAY_NOT);
    expect(await get(otherLiveId, own, as)).toBe(MAY_NOT);
    expect(await get(liveId, socket, as)).toBe(MAY_NOT);
    expect(await get(liveId, own, null)).toBe(MAY_NOT);
    expect(await get(liveId, own, { ...as, token: 'ended' })).toBe(MAY_NOT);
    expect(await get(liveId, own, mate)).toBe(MAY_NOT);
    expect(await get(liveId, `${own.slice(0, -2)}xx`, as)).toBe(MAY_NOT);
    expect(await get(liveId, '', as)).toBe(MAY_NOT);
    const longer = own.replace(/\.(\d+)\.(?=[\w-]+$)/, (_, until: string) => `.${Number(until) + HOUR}.`);
    expect(longer).not.toBe(own);
    expect(await get(liveId, longer, as)).toBe(MAY_NOT);
    expect(await refused(GRANT, { liveId, as: 'hls' }, { as: other })).toBe('notEnrolled');
    for (const junk of [
      '../live.m3u8',
      '..%2f..%2fetc%2fpasswd',
      '1e3.ts',
      '-1.ts',
      '0x10.ts',
      '1.ts.ts',
      '1.ts%00',
      `${'9'.repeat(13)}.ts`,
      '',
    ])
      expect(await get(liveId, own, as, junk), junk).toBe(404);
    expect(await get('1e3', own, as)).toBe(MAY_NOT);
    await kit.db.query
      .updateTable('live_lessons')
      .set({ ends_at: time.now + 24 * HOUR })
      .where('id', '=', liveId)
      .execute();
    time.now += 12 * HOUR - 1;
    expect(await get(liveId, own, as)).toBe(MAY);
    time.now += 1;
    expect(await get(liveId, own, as)).toBe(MAY_NOT);
  });

  it('ends within seconds for who was taken out, and for all when it is over', async () => {
    const { as, mate, teacher, packId, liveId } = await scene();
    const [mine = '', mates = ''] = await Promise.all(
      [as, mate].map(async (by) => (await granted(by, liveId))[1]?.value ?? ''),
    );
    expect(await get(liveId, mine, as)).toBe(MAY);
    await endEnrolment(kit.db.query, as.userId, packId);
    time.now += 10_000;
    expect(await get(liveId, mine, as)).toBe(MAY_NOT);
    expect(await get(liveId, mine, as, '5.ts')).toBe(MAY_NOT);
    expect(await refused(GRANT, { liveId, as: 'hls' }, { as })).toBe('notEnrolled');
    expect(await get(liveId, mates, mate)).toBe(MAY);
    await ok('POST /app/live/start', { liveId }, { as: teacher });
    await ok('POST /app/live/end', { liveId }, { as: teacher });
    time.now += 10_000;
    expect(await get(liveId, mates, mate)).toBe(MAY_NOT);
    expect(await refused(GRANT, { liveId, as: 'hls' }, { as: mate })).toBe('liveOver');
  });
});

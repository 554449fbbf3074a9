import { afterAll, describe, expect, it } from 'vitest';
import { enrol, makePack } from '#server/course/pack.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { makeLesson, openFilm, playScene } from './lesson.test-kit.ts';

const LESSON = 'GET /app/course/lesson';
const REPORT = 'POST /app/course/report_duration';
const POSITION = 'POST /app/course/save_position';

describe.each(databases)('reports of playing on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  const scene = (how?: Parameters<typeof playScene>[1]) => playScene(kit, how);

  it('believes no report further than the clock, from however many windows of one person', async () => {
    const { as, one, two, at } = await scene();
    kit.time.now += 200_000;
    const report = (lesson: number, seq: number, playId: string) =>
      ok(REPORT, { ...at(lesson), duration: 60, position: 60 * seq, rate: 1, seq, playId }, { as });
    await report(one, 1, 'window-one');
    await report(one, 2, 'window-one');
    await report(one, 3, 'window-one');
    kit.time.now += 60_000;
    const together = await Promise.all([
      report(one, 4, 'window-one'),
      report(two, 1, 'window-two'),
      report(two, 1, 'phone-three'),
    ]);
    expect(together.reduce((sum, { believed }) => sum + believed, 0)).toBe(60);
    const other = await kit.user();
    expect(await refused(REPORT, { ...at(one), duration: 30, position: 30 }, { as: other })).toBe('notEnrolled');
  });

  it('pays nothing from before the right to play the film was given, also of another film, on any server', async () => {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const [one, two] = [await makeLesson(kit, pack, { duration: 100 }), await makeLesson(kit, pack, { duration: 100 })];
    kit.time.now += 86_400_000;
    const whole = (firstVideoId: number, playId: string, on = kit) =>
      on.ok(
        REPORT,
        { packId: pack.packId, firstVideoId, duration: 100, position: 100, rate: 2, ended: 1, playId, seq: 1 },
        { as },
      );
    // Without any right, and right after it: what two servers' clocks may differ by, at twice the rate.
    expect(await whole(one, 'forged-1')).toMatchObject({ believed: 2, nodeState: 2 });
    await openFilm(kit, as.userId, two);
    expect(await whole(two, 'forged-2')).toMatchObject({ believed: 0, nodeState: 2 });
    kit.time.now += 30_000;
    expect(await whole(two, 'forged-3')).toMatchObject({ believed: 60, nodeState: 2 });

    // What was played without a network and sent by another page, after a restart, to another server, is paid in full.
    const late = await kit.user();
    await ok('POST /api/course/course_join', { packId: pack.packId }, { as: late });
    await openFilm(kit, late.userId, one);
    kit.time.now += 1000;
    await openFilm(kit, late.userId, one);
    kit.time.now += 3_600_000;
    const sibling = await kit.sibling();
    const left = { packId: pack.packId, firstVideoId: one, rate: 1, playId: 'killed-page' };
    for (const [at, from] of [0, 30, 60].entries())
      expect(
        await sibling.ok(
          REPORT,
          { ...left, duration: 30, position: from + 30, places: [{ from, to: from + 30 }], seq: at + 1 },
          { as: late },
        ),
      ).toMatchObject({ believed: 30 });
    await sibling.close();
  });

  it('an installation that has students at its update binds no page that is open across it', async () => {
    const { as, one, two, at, play } = await scene();
    await play(one, 0, 30);
    await kit.db.query.deleteFrom('settings').where('key', '=', 'play_rights_since').execute();
    await kit.db.query.deleteFrom('play_rights').where('user_id', '=', as.userId).execute();
    const updated = await kit.sibling();
    const first = { duration: 30, position: 30, rate: 1 };
    kit.time.now += 30_000;
    expect(await updated.ok(REPORT, { ...at(two), ...first }, { as })).toMatchObject({ believed: 30 });
    // What is known by what it said is never bound; a quarter of an hour later nothing unknown is believed.
    kit.time.now += 16 * 60_000;
    expect(await updated.ok(REPORT, { ...at(one), ...first }, { as })).toMatchObject({ believed: 30 });
    const three = await makeLesson(kit, (await scene()).pack);
    await kit.db.query
      .updateTable('lessons')
      .set({ pack_id: at(one).packId, after_id: null })
      .where('id', '=', three)
      .execute();
    kit.time.now += 60_000;
    expect(await updated.ok(REPORT, { ...at(three), ...first }, { as })).toMatchObject({ believed: 1 });
    await updated.close();
  });

  it('takes a report once, keeps what comes late, and refuses what lies beyond the end or in another pack', async () => {
    const { as, one, at } = await scene();
    kit.time.now += 100_000;
    const send = (seq: number, position: number) =>
      ok(REPORT, { ...at(one), duration: 30, position, rate: 1, seq, playId: 'one-opening' }, { as });
    expect(await send(1, 30)).toMatchObject({ believed: 30, share: 0.05, nodeState: 2 });
    expect(await send(3, 90)).toMatchObject({ believed: 30, position: 90 });
    expect(await send(3, 90)).toMatchObject({ believed: 0, position: 90 });
    expect(await send(2, 60)).toMatchObject({ believed: 30, position: 90, share: 0.15 });
    const far = await kit.call(REPORT, { ...at(one), duration: 30, position: 700 }, { as });
    expect([far.code, far.msg]).toEqual([422, '播放位置超出了本节的长度，没有记录']);
    const elsewhere = await scene();
    for (const name of [REPORT, POSITION] as const) {
      const input = { packId: elsewhere.packId, firstVideoId: one, position: 30, duration: 30 };
      expect((await kit.raw(name, input, { as: elsewhere.as })).data).toEqual({ why: 'notFound' });
    }
    expect(await ok(LESSON, at(one), { as })).toMatchObject({ position: 90, startAt: 90, watched: 90 });
  });

  it('pays a report once, whichever windows of its lesson spoke since, on any server', async () => {
    const { as, one, at } = await scene();
    const sibling = await kit.sibling();
    /** A window at its own part of the film says its next 30 s, or says them again. */
    const says = (window: number, seq: number, on: Pick<typeof kit, 'ok'> = kit) => {
      const position = window * 150 + seq * 30;
      return on.ok(REPORT, { ...at(one), duration: 30, position, rate: 1, seq, playId: `window-${window}` }, { as });
    };
    kit.time.now += 30_000;
    expect(await says(0, 1)).toMatchObject({ believed: 30 });
    kit.time.now += 30_000;
    expect(await says(1, 1)).toMatchObject({ believed: 30 });
    kit.time.now += 30_000;
    // Its answer was lost: it is sent again, after the other window spoke.
    expect(await says(0, 1)).toMatchObject({ believed: 0, position: 180 });
    expect(await says(1, 2), 'what the other one played meanwhile is paid').toMatchObject({ believed: 30 });
    // Three take turns, each says everything twice.
    for (const seq of [3, 4]) {
      for (const window of [0, 1, 2]) {
        kit.time.now += 30_000;
        expect(await says(window, seq)).toMatchObject({ believed: 30 });
      }
      for (const window of [2, 0, 1]) expect(await says(window, seq, sibling)).toMatchObject({ believed: 0 });
    }
    kit.time.now += 30_000;
    // One that was missing comes late: it counts, and its student is elsewhere by now.
    expect(await says(0, 2)).toMatchObject({ believed: 30, position: 420 });
    expect(await says(0, 2)).toMatchObject({ believed: 0 });
    expect(await ok(LESSON, at(one), { as })).toMatchObject({ startAt: 420, watched: 300 });
    await sibling.close();
  });

  it('pays a report once that comes again in the group in which it came, beside another window', async () => {
    const { as, one, at } = await scene();
    kit.time.now += 170_000;
    const of = { ...at(one), duration: 30, rate: 1, seq: 1 };
    const said = [30, 330, 30, 330].map((position) => ({ ...of, position, playId: `window-at-${position}` }));
    const all = await Promise.all(said.map((report) => ok(REPORT, report, { as })));
    expect(all.map(({ believed }) => believed)).toEqual([30, 30, 0, 0]);
  });

  it('pays no time twice where two servers’ clocks differ, however often one and the other is told', async () => {
    const { as, one, at } = await scene();
    const sibling = await kit.sibling();
    kit.time.now += 180_000;
    let believed = 0;
    for (let turn = 0; turn < 10; turn += 1)
      for (const [on, behind] of [[kit, 0] as const, [sibling, 900] as const]) {
        kit.time.now -= behind;
        const report = { ...at(one), duration: 60, position: 60, rate: 1 };
        believed += (await on.ok(REPORT, report, { as })).believed;
        kit.time.now += behind;
      }
    expect(believed).toBe(180);
    await sibling.close();
  });

  it('takes one of the next lesson in the very group in which the lesson before it is finished', async () => {
    const { as, one, two, at, play } = await scene({ sequential: true });
    for (const from of [0, 180, 360]) await play(one, from, from + 180);
    kit.time.now += 60_000;
    const said = (lesson: number, more: object) =>
      kit.call(REPORT, { ...at(lesson), duration: 0, position: 0, rate: 1, ...more }, { as });
    const [last, next] = await Promise.all([said(one, { duration: 60, position: 600, ended: 1 }), said(two, {})]);
    expect([last.data.nodeState, next.code]).toEqual([3, 200]);
    const other = await scene({ sequential: true });
    expect(await refused(REPORT, { ...other.at(other.two), duration: 0, position: 0 }, { as: other.as })).toBe(
      'lessonLocked',
    );
  });

  it('takes no lock and no pack of another report that comes in the same moment', async () => {
    const { as, packId, one, two, at } = await scene({ sequential: true });
    const free = await makePack(kit, { students: [as] });
    kit.time.now += 60_000;
    const said = await Promise.all([
      kit.call(POSITION, { ...at(two), position: 5 }, { as }),
      kit.call(POSITION, { packId: free.packId, firstVideoId: two, position: 5 }, { as }),
      kit.call(POSITION, { ...at(one), position: 5 }, { as }),
      kit.call(POSITION, { packId: free.packId, firstVideoId: one, position: 5 }, { as }),
    ]);
    expect(said.map(({ code }) => code)).toEqual([403, 404, 200, 404]);
    expect(await refused(LESSON, at(two), { as })).toBe('lessonLocked');
    const kept = kit.db.query.selectFrom('lesson_progress').select(['pack_id', 'lesson_id']);
    expect(await kept.where('user_id', '=', as.userId).execute()).toEqual([{ pack_id: packId, lesson_id: one }]);
  });

  it('refuses who is not enrolled beside who is in the same moment, and gives them no clock', async () => {
    const { as, one, at } = await scene();
    const [stranger, other] = [await kit.user(), await kit.user()];
    kit.time.now += 60_000;
    const report = { ...at(one), duration: 20, position: 20, rate: 1, playId: 'of-the-same', seq: 1 };
    const said = await Promise.all([stranger, as, other].map((from) => kit.call(REPORT, report, { as: from })));
    expect(said.map(({ code }) => code)).toEqual([403, 200, 403]);
    const clocks = kit.db.query.selectFrom('study_clocks').select('user_id');
    const ids = [stranger, as, other].map(({ userId }) => userId);
    expect(await clocks.where('user_id', 'in', ids).execute()).toEqual([{ user_id: as.userId }]);
  });

  it('goes on where its student was last, not where another device was that sends later what it kept', async () => {
    const { as, one, at } = await scene();
    kit.time.now += 60_000;
    const kept = kit.time.now;
    kit.time.now += 60_000;
    const desk = { ...at(one), duration: 30, position: 500, rate: 1, playId: 'at-the-desk', seq: 1, ago: 0 };
    await ok(REPORT, desk, { as });
    kit.time.now += 60_000;
    for (const seq of [1, 2]) {
      const phone = { ...at(one), duration: 20, position: 20 * seq, rate: 1, playId: 'the-phone', seq };
      expect(await ok(REPORT, { ...phone, ago: kit.time.now - kept }, { as })).toMatchObject({ believed: 20 });
    }
    expect(await ok(LESSON, at(one), { as })).toMatchObject({ startAt: 500, watched: 70 });
  });

  it('goes on where its student is after a clock that was ahead was set back', async () => {
    const { as, one, at } = await scene();
    const says = (seq: number, position: number) => {
      kit.time.now += 30_000;
      return ok(REPORT, { ...at(one), duration: 30, position, rate: 1, playId: 'one-opening', seq, ago: 5 }, { as });
    };
    kit.time.now += 3_600_000;
    await says(1, 30);
    kit.time.now -= 3_600_000;
    expect(await says(2, 60)).toMatchObject({ position: 60 });
    expect(await says(3, 90)).toMatchObject({ position: 90 });
    expect(await ok(LESSON, at(one), { as })).toMatchObject({ startAt: 90 });
  });

  it('goes on where its student was last at a browser that kept two openings of it and sends them in their order', async () => {
    const { as, one, at } = await scene();
    kit.time.now += 600_000;
    for (const [playId, position, ago] of [
      ['in-the-morning', 60, 400_000],
      ['in-the-evening', 300, 100_000],
    ] as const)
      await ok(REPORT, { ...at(one), duration: 20, position, rate: 1, playId, seq: 1, ago }, { as });
    expect(await ok(LESSON, at(one), { as })).toMatchObject({ startAt: 300 });
  });

  it('counts for nobody but who watched: not for who has signed in at that browser since', async () => {
    const { as, pack, one, at } = await scene();
    const later = await kit.user();
    kit.time.now += 60_000;
    const of = { ...at(one), studentId: as.userId, position: 30 };
    const report = { ...of, duration: 30, ended: 1, playId: 'of-the-first', seq: 1 } as const;
    expect(await refused(REPORT, report, { as: later }), 'kept: not enrolled is said of themselves').toBe(
      'notSignedIn',
    );
    await enrol(kit, later, pack.packId);
    await openFilm(kit, later.userId, one);
    expect(await refused(REPORT, report, { as: later })).toBe('notSignedIn');
    expect(await refused(POSITION, of, { as: later })).toBe('notSignedIn');
    expect(await ok(LESSON, at(one), { as: later })).toMatchObject({ nodeState: 1, position: 0 });
    expect(await ok(REPORT, report, { as })).toMatchObject({ believed: 30, nodeState: 2 });
  });

  it('keeps what was reported before it is answered, in many packs at once', async () => {
    const scenes = await Promise.all(Array.from({ length: 5 }, () => scene()));
    kit.time.now += 60_000;
    await Promise.all(scenes.map(({ as, one, at }) => ok(REPORT, { ...at(one), duration: 30, position: 30 }, { as })));
    const sibling = await kit.sibling();
    for (const { as, one, at } of scenes)
      expect(await sibling.ok(LESSON, at(one), { as })).toMatchObject({ position: 30, watched: 30 });
    // Two servers share one person's clock.
    const { as, one, two, at } = scenes[0] ?? (await scene());
    kit.time.now += 60_000;
    const both = await Promise.all([
      ok(REPORT, { ...at(one), duration: 120, position: 150, rate: 1 }, { as }),
      sibling.ok(REPORT, { ...at(two), duration: 120, position: 120, rate: 1 }, { as }),
    ]);
    // 60 s of now, and what the first report left of the time before.
    expect(both[0].believed + both[1].believed).toBeLessThanOrEqual(60 + 180 - 15);
    expect(
      await refused(REPORT, { ...at(one), duration: 1, position: 1, places: [{ from: 1 }] } as never, { as }),
    ).toBe('badInput');
    await sibling.close();
  });
});

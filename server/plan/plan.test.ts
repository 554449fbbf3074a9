import { afterAll, describe, expect, it } from 'vitest';
import { dateOf, dayOf } from '#rules/exam/schedule.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { makeLesson } from '#server/play/lesson.test-kit.ts';
import { databases, START, type TestUser, testApp } from '#server/test-kit.ts';

const DAY = 86_400_000;
const week = (minutes: number) => Array.from({ length: 7 }, () => minutes);
const dayAfter = (days: number) => dateOf(dayOf(START) + days);

describe.each(databases)('the plan of a student on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused, time } = kit;

  const today = (as: TestUser) => ok('GET /app/plan/today', {}, { as });
  /** What stands there today, in short. */
  const said = async (as: TestUser) =>
    (await today(as)).tasks.map(({ kind, name, count, minutes, done, doneCount }) =>
      [kind, name, count > 0 ? `${doneCount}/${count}` : '', `${minutes}m`, done ? '✓' : ''].filter(Boolean).join(' '),
    );

  /** A student in a pack of two text lessons, one of ten minutes each, and so many questions in the chapter of both. */
  async function student(questions: number, examInDays: number | null = 30) {
    time.now = START;
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const { packId } = pack;
    const [first, second] = [
      await makeLesson(kit, pack, { kind: 'text', name: '甲' }),
      await makeLesson(kit, pack, { kind: 'text', name: '乙' }),
    ];
    const ids = await makeQuestions(
      kit,
      pack,
      Array.from({ length: questions }, () => ({ type: 1 as const, right: 'A' })),
    );
    // As a pack that is brought in has them: the practice of the chapter, so that its questions may be drawn.
    if (ids.length > 0) await makeExam(kit, pack, { kind: 'chapter', questionIds: ids });
    if (examInDays !== null)
      await ok('POST /app/exam/study_settings', { packId, examDate: dayAfter(examInDays) }, { as });
    return { as, pack, packId, lessons: [first, second] as const, ids };
  }
  const read = (as: TestUser, packId: number, firstVideoId: number) =>
    ok('POST /app/course/save_position', { packId, firstVideoId, position: 0, ended: 1 }, { as });
  const begin = (as: TestUser, packId: number, chapterId: number) =>
    ok('POST /app/plan/practice_start', { packId, chapterId, name: '练习' }, { as });
  async function answer(as: TestUser, examId: number, letters: number, letter: 'A' | 'B' = 'A') {
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    const { questions } = await ok('GET /api/exam/details', { recordId }, { as });
    const answers = questions.slice(0, letters).map(({ questionId }) => ({ questionId, answer: letter, seq: 1 }));
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
    return questions.length;
  }

  it('of who has no pack is empty; nobody else sees it', async () => {
    time.now = START;
    const as = await kit.user();
    expect(await today(as)).toMatchObject({
      tasks: [],
      packs: [],
      moved: 0,
      chosen: 0,
      begun: 0,
      lacking: null,
      leftOut: [],
    });
    expect(await refused('GET /app/plan/today', {})).toBe('notSignedIn');
  });

  it('says whether anything was done yet: a lesson opened, or a practice or paper begun', async () => {
    const reader = await student(3);
    expect((await today(reader.as)).begun).toBe(0);
    await ok('POST /app/plan/minutes', { weekMinutes: week(30) }, { as: reader.as });
    expect((await today(reader.as)).begun).toBe(0);
    await read(reader.as, reader.packId, reader.lessons[0]);
    expect((await today(reader.as)).begun).toBe(1);

    const { as, packId, pack } = await student(3);
    await today(as);
    const { examId } = await begin(as, packId, pack.chapterIds[0]);
    expect((await today(as)).begun).toBe(0);
    await answer(as, examId, 2);
    expect((await today(as)).begun).toBe(1);
  });

  it('lays out lessons and questions within the minutes that were set, ticks what is done, and moves on what was missed', async () => {
    const { as, packId, pack, lessons } = await student(40);
    expect(await said(as)).toEqual(['lesson 甲 10m', 'lesson 乙 10m', 'practice chapter-1 0/32 40m']);
    await ok('POST /app/plan/minutes', { weekMinutes: week(30) }, { as });
    expect(await said(as)).toEqual(['lesson 甲 10m', 'lesson 乙 10m', 'practice chapter-1 0/8 10m']);
    await read(as, packId, lessons[0]);
    expect((await said(as))[0]).toBe('lesson 甲 10m ✓');

    const { examId } = await begin(as, packId, pack.chapterIds[0]);
    expect(await begin(as, packId, pack.chapterIds[0])).toEqual({ examId });
    expect(await answer(as, examId, 3)).toBe(8);
    expect((await said(as))[2]).toBe('practice chapter-1 3/8 10m');
    const again = await begin(as, packId, pack.chapterIds[0]);
    expect(again.examId).not.toBe(examId);
    expect(await answer(as, again.examId, 5)).toBe(5);
    expect((await said(as))[2]).toBe('practice chapter-1 8/8 10m ✓');
    expect(
      await refused('POST /app/plan/practice_start', { packId, chapterId: pack.chapterIds[0], name: '练习' }, { as }),
    ).toBe('noQuestions');

    time.now += DAY;
    const next = await today(as);
    expect(next.moved).toBe(1);
    expect(next.tasks.map(({ name, done }) => [name, done])).toEqual([
      ['乙', 0],
      ['chapter-1', 0],
    ]);
    time.now += 3 * DAY;
    expect((await today(as)).moved).toBe(2);
  });

  it('says of nothing that it has moved on which is planned no more: its exam is over, or its pack is left out', async () => {
    const { as, packId } = await student(40, 1);
    await ok('POST /app/plan/minutes', { weekMinutes: week(120) }, { as });
    const later = await makePack(kit, { students: [as] });
    await makeLesson(kit, later, { kind: 'text', name: '丙' });
    await ok('POST /app/exam/study_settings', { packId: later.packId, examDate: dayAfter(30) }, { as });
    expect(await said(as)).toContainEqual('lesson 丙 10m');
    time.now += 2 * DAY;
    const over = await today(as);
    expect(over.packs.map((of) => [of.packId, of.planned])).toEqual([
      [packId, 0],
      [later.packId, 1],
    ]);
    expect(over.moved).toBe(1);
    await ok(
      'POST /app/plan/leave_out',
      { out: 1, list: [{ packId: later.packId, kind: 'pack', id: later.packId }] },
      { as },
    );
    expect(await today(as)).toMatchObject({ tasks: [], moved: 0 });
  });

  it('lays the rest of a day out anew when minutes change, and keeps what is done', async () => {
    const { as, packId, lessons } = await student(40);
    await ok('POST /app/plan/minutes', { weekMinutes: week(20) }, { as });
    await today(as);
    await read(as, packId, lessons[0]);
    await ok('POST /app/plan/minutes', { weekMinutes: week(60) }, { as });
    expect(await said(as)).toEqual(['lesson 甲 10m ✓', 'lesson 乙 10m', 'practice chapter-1 0/32 40m']);
    expect(await refused('POST /app/plan/minutes', { weekMinutes: week(0) }, { as })).toBe('noStudyDay');
    expect(await refused('POST /app/plan/minutes', { weekMinutes: [5, ...week(60).slice(1)] }, { as })).toBe(
      'badInput',
    );
    const off = await today(as);
    expect(off.weekMinutes).toEqual(week(60));
  });

  it('is laid out without what is sat while an exam is open, and is that of the morning again after it', async () => {
    const { as, packId, pack, lessons, ids } = await student(10);
    const begun = (await today(as)).tasks.length > 0 && (await begin(as, packId, pack.chapterIds[0]));
    if (!begun) throw new Error('no plan');
    await answer(as, begun.examId, 10, 'B');
    time.now += DAY;
    await read(as, packId, lessons[0]);
    const morning = await said(as);
    expect(morning[0]).toMatch(/^review 0\/10/);
    const examId = await makeExam(kit, pack, { questionIds: ids, name: '模拟' });
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    const sitting = await said(as);
    expect(sitting.filter((task) => task.startsWith('review'))).toEqual([]);
    // Kept as well: what is done while the exam is open is ticked there.
    await read(as, packId, lessons[1]);
    expect(await said(as)).toContainEqual(expect.stringMatching(/^lesson 乙 .*✓/));
    await ok('POST /api/exam/submit', { examId, recordId, answers: [] }, { as });
    expect((await said(as)).map((task) => task.replace(' ✓', ''))).toEqual(morning);
    expect(await said(as)).toContainEqual(expect.stringMatching(/^lesson 乙 .*✓/));
  });

  it('has what went wrong again when it is due, and a lesson of a film in parts', async () => {
    const { as, packId, pack } = await student(10);
    const film = await makeLesson(kit, pack, { chapterId: pack.chapterIds[3], name: '长片', duration: 6000 });
    const { examId } = await begin(as, packId, pack.chapterIds[0]).catch(() => ({ examId: 0 }));
    expect(examId).toBe(0);
    expect(await said(as)).toEqual([
      'lesson 甲 10m',
      'lesson 乙 10m',
      'practice chapter-1 0/10 13m',
      'lesson 长片 27m',
    ]);
    const begun = await begin(as, packId, pack.chapterIds[0]);
    await answer(as, begun.examId, 10, 'B');
    time.now += DAY;
    const tasks = await today(as);
    expect(tasks.tasks[0]).toMatchObject({ kind: 'review', count: 10, done: 0 });
    const daily = await ok('POST /app/exam/daily_start', { packId, name: '今日复习' }, { as });
    await answer(as, daily.examId, 10);
    expect((await today(as)).tasks[0]).toMatchObject({ kind: 'review', count: 10, doneCount: 10, done: 1 });
    expect((await today(as)).tasks.find(({ firstVideoId }) => firstVideoId === film)).toMatchObject({
      part: 1,
      done: 0,
    });
    // A review that was done is not missed the day after, when others are due.
    const left = (await today(as)).tasks.filter(({ done }) => !done).length;
    time.now += DAY;
    expect((await today(as)).moved).toBe(left);
  });

  it('says what cannot fit with two ways out, each of which does it', async () => {
    const { as, packId, pack } = await student(60, 3);
    const more = Array.from({ length: 200 }, () => ({ type: 1 as const, right: 'A', chapter: 3 }));
    const questionIds = await makeQuestions(kit, pack, more);
    await makeExam(kit, pack, { kind: 'chapter', questionIds, chapter: 3 });
    const paper = await makeExam(kit, pack, { questionIds: (await student(5)).ids, name: '模拟卷', minutes: 60 });
    time.now = START;
    const { lacking } = await today(as);
    expect(lacking?.minutes).toBeGreaterThan(60);
    expect(lacking).toMatchObject({ enough: 1 });
    // Three days before the exam the paper goes first.
    expect(lacking?.leave.map(({ kind, name }) => [kind, name])).toEqual([
      ['paper', '模拟卷'],
      ['chapter', 'chapter-2'],
    ]);
    await ok('POST /app/plan/minutes', { weekMinutes: week(60 + (lacking?.moreMinutes ?? 0)) }, { as });
    expect((await today(as)).lacking).toBeNull();
    await ok('POST /app/plan/minutes', { weekMinutes: week(60) }, { as });
    const list = (lacking?.leave ?? []).map(({ packId, kind, id }) => ({ packId, kind, id }));
    await ok('POST /app/plan/leave_out', { out: 1, list }, { as });
    await ok('POST /app/plan/leave_out', { out: 1, list }, { as });
    const without = await today(as);
    expect(without.lacking).toBeNull();
    expect(without.leftOut.map(({ name }) => name)).toContain('chapter-2');
    await ok('POST /app/plan/leave_out', { out: 0, list }, { as });
    expect((await today(as)).lacking).toEqual(lacking);
    await ok('POST /app/plan/leave_out', { out: 1, list: [{ packId, kind: 'paper', id: paper }] }, { as });
    expect((await today(as)).leftOut).toMatchObject([{ kind: 'paper', name: '模拟卷' }]);
  });

  it('leaves out nothing that is not the student’s', async () => {
    const { as, packId, pack } = await student(5);
    const other = await student(5);
    const leave = (list: { packId: number; kind: 'pack' | 'chapter' | 'paper'; id: number }[]) =>
      refused('POST /app/plan/leave_out', { out: 1, list }, { as });
    expect(await leave([{ packId: other.packId, kind: 'pack', id: other.packId }])).toBe('notEnrolled');
    expect(await leave([{ packId: 987_654, kind: 'pack', id: 987_654 }])).toBe('notFound');
    expect(await leave([{ packId, kind: 'chapter', id: other.pack.chapterIds[0] }])).toBe('notFound');
    expect(await leave([{ packId, kind: 'pack', id: other.packId }])).toBe('notFound');
    expect(
      await refused('POST /app/plan/practice_start', { packId: other.packId, chapterId: 1, name: '练习' }, { as }),
    ).toBe('notEnrolled');
    await ok('POST /app/plan/leave_out', { out: 1, list: [{ packId, kind: 'pack', id: packId }] }, { as });
    expect(await today(as)).toMatchObject({ tasks: [], packs: [{ packId, planned: 0 }], leftOut: [{ kind: 'pack' }] });
    expect((await today(other.as)).tasks.length).toBeGreaterThan(0);
    // In a sequential pack lessons are not passed over: what stands after them would stay shut.
    await ok('POST /app/plan/leave_out', { out: 0, list: [{ packId, kind: 'pack', id: packId }] }, { as });
    await kit.db.query.updateTable('packs').set({ unlock: 'sequential' }).where('id', '=', packId).execute();
    await makeLesson(kit, pack, { kind: 'text', name: '丙', chapterId: pack.chapterIds[3] });
    await ok(
      'POST /app/plan/leave_out',
      { out: 1, list: [{ packId, kind: 'chapter', id: pack.chapterIds[0] }] },
      { as },
    );
    expect(await said(as)).toEqual(['lesson 甲 10m', 'lesson 乙 10m', 'lesson 丙 10m']);
    // But nothing stands after them for the sake of a lesson whose film is still to come.
    await kit.db.query
      .updateTable('lessons')
      .set({ kind: 'video', body: '', media_source: 'a.mp4' })
      .where('name', '=', '丙')
      .where('pack_id', '=', packId)
      .execute();
    await ok('POST /app/plan/minutes', { weekMinutes: week(50) }, { as });
    expect(await said(as)).toEqual([]);
  });

  it('puts papers into the last weeks, and ticks one that is taken', async () => {
    const { as, packId, pack, ids } = await student(4, 2);
    const examId = await makeExam(kit, pack, { questionIds: ids, name: '模拟卷', minutes: 30 });
    const { tasks } = await today(as);
    expect(tasks.find(({ kind }) => kind === 'paper')).toMatchObject({
      examId,
      name: '模拟卷',
      minutes: 30,
      recordId: null,
    });
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    expect((await today(as)).tasks.find(({ kind }) => kind === 'paper')).toMatchObject({ recordId, done: 0 });
    const answers = ids.map((questionId) => ({ questionId, answer: 'A', seq: 1 }));
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
    expect((await today(as)).tasks.find(({ kind }) => kind === 'paper')).toMatchObject({ recordId: null, done: 1 });
    time.now += 2 * DAY;
    expect(await today(as)).toMatchObject({ tasks: [], packs: [{ packId, daysLeft: 0, planned: 0 }] });
    time.now += DAY;
    expect(await today(as)).toMatchObject({ packs: [{ daysLeft: -1, planned: 0 }], lacking: null });
  });

  it('counts the questions alone that its student may practise', async () => {
    const { as, packId, pack } = await student(6);
    const kept = Array.from({ length: 30 }, () => ({ type: 1 as const, right: 'A' }));
    const elsewhere = Array.from({ length: 30 }, () => ({ type: 1 as const, right: 'A', chapter: 3 }));
    const questionIds = [...(await makeQuestions(kit, pack, kept)), ...(await makeQuestions(kit, pack, elsewhere))];
    const examId = await makeExam(kit, pack, { questionIds, name: '模拟卷', minutes: 30 });
    await ok('POST /app/plan/leave_out', { out: 1, list: [{ packId, kind: 'paper', id: examId }] }, { as });
    expect(await said(as)).toEqual(['lesson 甲 10m', 'lesson 乙 10m', 'practice chapter-1 0/6 8m']);
    // Who sat the paper has met them: they are practised from then on.
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    const answers = [{ questionId: questionIds[0] ?? 0, answer: 'A', seq: 1 }];
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
    time.now += DAY;
    await ok('POST /app/plan/minutes', { weekMinutes: week(300) }, { as });
    const next = (await today(as)).tasks.filter(({ kind }) => kind === 'practice');
    expect(next.map(({ count }) => count)).toEqual([35, 30]);
  });

  it('goes on after midnight with the practice that was begun before', async () => {
    const { as, packId, pack } = await student(40);
    await ok('POST /app/plan/minutes', { weekMinutes: week(30) }, { as });
    await today(as);
    const { examId } = await begin(as, packId, pack.chapterIds[0]);
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    time.now += DAY;
    expect((await today(as)).tasks.find(({ kind }) => kind === 'practice')).toMatchObject({ examId, recordId });
    expect(await begin(as, packId, pack.chapterIds[0])).toEqual({ examId });
    const { questions } = await ok('GET /api/exam/details', { recordId }, { as });
    const answers = questions.map(({ questionId }) => ({ questionId, answer: 'A', seq: 1 }));
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
    expect((await today(as)).tasks.find(({ kind }) => kind === 'practice')).toMatchObject({ done: 1 });
  });

  it('has no practice any more of questions that are gone, and ticks one of which the rest is gone', async () => {
    const { as, packId, pack, ids } = await student(10);
    const gone = (some: readonly number[]) =>
      kit.db.query.updateTable('questions').set({ archived: 1 }).where('id', 'in', some).execute();
    expect((await said(as))[2]).toBe('practice chapter-1 0/10 13m');
    const { examId } = await begin(as, packId, pack.chapterIds[0]);
    await answer(as, examId, 4);
    await gone(ids.slice(4));
    expect((await said(as))[2]).toBe('practice chapter-1 4/10 13m ✓');
    const other = await student(10);
    expect(await said(other.as)).toHaveLength(3);
    await gone(other.ids);
    expect(await said(other.as)).toEqual(['lesson 甲 10m', 'lesson 乙 10m']);
  });

  it('moves a paper of today to another day where today’s minutes are made fewer than what was spent', async () => {
    const { as, packId, pack, ids, lessons } = await student(4, 3);
    const examId = await makeExam(kit, pack, { questionIds: ids, name: '模拟卷', minutes: 30 });
    time.now = START + DAY;
    expect((await said(as)).filter((task) => task.startsWith('paper'))).toEqual(['paper 模拟卷 30m']);
    for (const lesson of lessons) await read(as, packId, lesson);
    await ok('POST /app/plan/minutes', { weekMinutes: week(15) }, { as });
    const { tasks, week: ahead } = await today(as);
    expect(tasks.map(({ name, done }) => [name, done])).toEqual([
      ['甲', 1],
      ['乙', 1],
    ]);
    expect(ahead[0]?.tasks.map(({ name }) => name)).toEqual(['模拟卷']);
    expect(examId).toBeGreaterThan(0);
  });

  it('goes on with the practice of the chapter that is open', async () => {
    const { as, packId, pack, ids } = await student(30);
    const examId = await makeExam(kit, pack, { kind: 'chapter', questionIds: ids, chapter: 0 });
    await today(as);
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    expect(await begin(as, packId, pack.chapterIds[0])).toEqual({ examId });
    expect((await today(as)).tasks.find(({ kind }) => kind === 'practice')).toMatchObject({ examId, recordId });
  });
});

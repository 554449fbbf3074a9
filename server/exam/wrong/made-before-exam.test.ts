import { afterAll, describe, expect, it } from 'vitest';
import { exportJob } from '#server/account/export-job.ts';
import { addExport } from '#server/account/export-store.ts';
import { packAccess } from '#server/course/access.ts';
import { enrolmentStore } from '#server/course/enrolment-store.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { school } from '#server/import/correction.test-kit.ts';
import { addJob } from '#server/job/store.ts';
import { databases, START, testApp } from '#server/test-kit.ts';
import { sittingsOf } from '../grading/reopen-store.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { examParts } from '../parts.ts';
import { examPersonParts } from '../person-part.ts';

const HOUR = 3_600_000;

describe.each(databases)('what was made before an exam began, on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused, time } = kit;

  /** A student who answered two questions wrong; `sit` begins a mock paper with one of them. */
  async function student() {
    time.now = START;
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const ids = await makeQuestions(kit, pack, [
      { type: 2, right: 'A' },
      { type: 2, right: 'A' },
    ]);
    const practice = await makeExam(kit, pack, { kind: 'chapter', questionIds: ids });
    const mock = await makeExam(kit, pack, { questionIds: ids.slice(0, 1), minutes: null });
    const begin = async (examId: number) => ({
      examId,
      recordId: (await ok('GET /app/exam/test_start', { examId }, { as })).recordId,
    });
    const answers = ids.map((questionId) => ({ questionId, answer: 'B', seq: 1 }));
    await ok('POST /api/exam/submit', { ...(await begin(practice)), answers }, { as });
    const handIn = (sat: { examId: number; recordId: number }) =>
      ok('POST /api/exam/submit', { ...sat, answers: [] }, { as });
    return { as, packId: pack.packId, begin, handIn, sit: () => begin(mock) };
  }

  it('a practice that an exam keeps from being begun waits for a day after it, and goes then', async () => {
    const { as, packId, begin, handIn, sit } = await student();
    const made = await ok('POST /app/exam/own_paper', { packId, name: '错题', from: 'wrong' }, { as });
    const other = await ok('POST /app/exam/own_paper', { packId, name: '再练', from: 'wrong' }, { as });
    const sweep = () => kit.chore('exam: delete own papers that nobody began');
    const start = (examId: number) => refused('GET /app/exam/test_start', { examId }, { as });
    time.now += 23 * HOUR;
    const sat = await sit();
    time.now += 50 * HOUR;
    await sweep();
    expect(await start(made.examId)).toBe('madeBeforeExam');
    await handIn(sat);
    time.now += 23 * HOUR;
    await sweep();
    expect((await begin(made.examId)).recordId).toBeGreaterThan(sat.recordId);
    time.now += 2 * HOUR;
    await sweep();
    expect(await start(other.examId)).toBe('notFound');
  });

  it('a copy of one’s data is fetched before and after the exam, and one that is made meanwhile at once', async () => {
    const { as, handIn, sit } = await student();
    const make = async (id: number) => {
      const { userId } = as;
      await kit.db.transaction(async (trx) => {
        await addExport(trx, { id, userId, now: time.now, expiresAt: time.now + 100 * HOUR });
        await addJob(trx, { kind: 'account.export', key: `${id}`, input: { exportId: id } }, time.now);
      });
      await kit.chore('jobs: look for work');
      await kit.app.jobs.idle();
    };
    const list = async () =>
      (await ok('GET /api/user/export_list', {}, { as })).list.map(({ id, url, withheld }) => [
        id,
        url !== '',
        withheld,
      ]);
    const fetched = async (url: string) =>
      (await kit.app.inject({ url, headers: { authorization: `Bearer ${as.token}` } })).statusCode;
    await make(71);
    const [before] = (await ok('GET /api/user/export_list', {}, { as })).list;
    const url = before?.url ?? '';
    expect(await fetched(url)).toBe(200);
    time.now += 1000;
    const sat = await sit();
    time.now += 1000;
    await make(72);
    expect(await list()).toEqual([
      [72, true, false],
      [71, false, true],
    ]);
    expect(await fetched(url)).toBe(404);
    const sizes = async () => (await ok('GET /api/user/export_list', {}, { as })).list.map(({ bytes }) => bytes > 0);
    expect(await sizes(), 'a size that hangs on verdicts').toEqual([true, false]);
    await handIn(sat);
    expect(await sizes()).toEqual([true, true]);
    expect(await list()).toEqual([
      [72, true, false],
      [71, true, false],
    ]);
    expect(await fetched(url)).toBe(200);
  });

  it('of what is sat a copy has no earlier answer; one is withheld that an exam handed in and begun again runs through', async () => {
    const { as, handIn, sit } = await student();
    const enrolments = enrolmentStore(kit.db);
    const exam = examParts(kit.parts, enrolments, packAccess(kit.db, enrolments));
    const [records] = examPersonParts(exam);
    if (!records) throw new Error('no part of records');
    const hiddenFrom = (userId: number) => exam.gradesFor(kit.db.query, userId).hidden();
    const watched = { hiddenFrom, sittingsOf: (userId: number) => sittingsOf(kit.db.query, userId) };
    const first = await sit();
    const told = await Array.fromAsync(records.rows(as.userId));
    expect(told.flatMap((row) => (row as { answers: object[] }).answers)).toMatchObject([
      { withheld: true },
      { answer: 'B' },
    ]);

    /** Makes a copy; while its last part is read, `meanwhile` happens. @returns whether it is withheld then */
    const withheldAfter = async (id: number, meanwhile: () => Promise<unknown>) => {
      const { userId } = as;
      await kit.db.transaction((trx) => addExport(trx, { id, userId, now: time.now, expiresAt: time.now + HOUR }));
      const last = {
        ...{ name: '最后', forget: async () => undefined },
        async *rows() {
          await meanwhile();
          yield {};
        },
      };
      const running = { signal: new AbortController().signal, percent: () => undefined };
      const ended = await exportJob(kit.parts, [records, last], watched).run({ exportId: id }, running as never);
      await kit.db.transaction(ended);
      const { list } = await ok('GET /api/user/export_list', {}, { as });
      return list.find((one) => one.id === id)?.withheld;
    };
    expect(await withheldAfter(81, async () => undefined)).toBe(false);
    const again = async () => {
      await handIn(first);
      await sit();
    };
    expect(await withheldAfter(82, again)).toBe(true);
  });

  it('a mock paper that an import makes a practice keeps what it was for who sits it', async () => {
    const set = await school(kit, { kind: 'mock' });
    const as = await set.student();
    const { examId, recordId } = await set.start(as, 'chapter:a');
    const answers = Object.values(await set.ids()).map((questionId) => ({ questionId, answer: 'B', seq: 1 }));
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
    const made = await ok('POST /app/exam/own_paper', { packId: set.packId, name: '错题', from: 'wrong' }, { as });
    time.now += HOUR;
    const sat = await set.start(as);
    await set.again({ kind: 'afterclass' });
    time.now += 30 * HOUR;
    await kit.chore('exam: delete own papers that nobody began');
    const start = () => refused('GET /app/exam/test_start', { examId: made.examId }, { as });
    expect(await start()).toBe('madeBeforeExam');
    await ok('POST /api/exam/submit', { examId: sat.examId, recordId: sat.recordId, answers: [] }, { as });
    expect((await ok('GET /app/exam/test_start', { examId: made.examId }, { as })).recordId).toBeGreaterThan(0);
  });
});

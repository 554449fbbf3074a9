import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { databases } from '#server/test-kit.ts';
import { type Db, type DbTarget, openDb } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-migrate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(databases)('a database of an earlier version on $name', ({ kind }) => {
  const target: DbTarget =
    kind === 'sqlite'
      ? { kind, path: join(folder, 'old.db') }
      : { kind, url: process.env.TEST_DATABASE_URL ?? '', schema: `test_${randomBytes(6).toString('hex')}` };
  const pictures = ['1', '2', '3', '4'].map((digit) => `${digit.repeat(2)}/${digit.repeat(64)}.png`);

  it('gets fingerprints of its questions and the packs of its pictures, as an import writes them, and versions of its papers', async () => {
    const first: Db = await openDb(target, 1);
    const kit = { db: first, time: { now: 1 } };
    const [one, two] = [await makePack(kit), await makePack(kit)];
    const [image = '', inCase = '', inText = '', both = ''] = pictures.map((name) => `<img src="/files/${name}" />`);
    // More than are read at once, the last of them twins of each other.
    const many = Array.from({ length: 600 }, (_, at) => ({ type: 2 as const, right: 'A', topic: `<p>题 ${at}</p>` }));
    await makeQuestions(kit, one, many);
    const [plain = 0] = await makeQuestions(kit, one, [{ type: 4, right: inText, topic: '<p>同一道题</p>' }]);
    const [twin = 0] = await makeQuestions(kit, two, [{ type: 4, right: 'x', topic: `同一道 题` }]);
    const [pictured = 0] = await makeQuestions(kit, two, [{ type: 4, right: 'x', topic: `同一道 题${image}${both}` }]);
    const { id: caseId } = await first.query
      .insertInto('cases')
      .values({ pack_id: two.packId, slug: 'case', title: '材料', text: `材料${inCase}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    const [withCase = 0] = await makeQuestions(kit, two, [{ type: 4, right: 'x', topic: '同一道题', caseId }]);
    await first.query.updateTable('packs').set({ description: both }).where('id', '=', two.packId).execute();
    const fingerprints = async (db: Db) =>
      new Map(
        (await db.query.selectFrom('questions').select(['id', 'fingerprint']).execute()).map((row) => [
          row.id,
          row.fingerprint,
        ]),
      );
    const before = await fingerprints(first);
    const examId = await makeExam(kit, one, { questionIds: [plain] });
    const student = { phone: '15000000000', password_hash: null, nickname: '学员', created_at: 1 };
    const { id: userId } = await first.query
      .insertInto('users')
      .values(student)
      .returning('id')
      .executeTakeFirstOrThrow();
    const asked = { user_id: userId, exam_id: examId, pack_id: one.packId, started_at: 1, ends_at: null };
    const open = { submitted_at: null, closed: null, window_id: null, score: null, layout: null, graded: null };
    await first.query
      .insertInto('exam_records')
      .values([
        { ...asked, ...open, submitted_at: 2, closed: 'submitted', attempt: 1 },
        { ...asked, ...open, attempt: 2 },
      ])
      .execute();

    // Back to what stood here before.
    for (const index of ['users_teachers', 'questions_gone', 'wrong_questions_studied', 'review_cards_studied'])
      await sql`drop index ${sql.ref(index)}`.execute(first.query);
    await sql`drop table exam_question_stats`.execute(first.query);
    await sql`create table exam_chapter_stats (exam_id bigint, chapter_id bigint, earned double precision, total double precision)`.execute(
      first.query,
    );
    await sql`drop index questions_school_key`.execute(first.query);
    await sql`alter table questions drop column retired`.execute(first.query);
    await sql`alter table questions drop column school_key`.execute(first.query);
    await sql`drop index exams_reserved`.execute(first.query);
    await sql`alter table exams drop column reserved`.execute(first.query);
    await sql`alter table own_papers drop column blueprint`.execute(first.query);
    await sql`drop index users_avatar_url`.execute(first.query);
    for (const column of ['last_used_at', 'phone_proven_at', 'gone_at'])
      await sql`alter table users drop column ${sql.ref(column)}`.execute(first.query);
    await sql`drop index users_closes_at`.execute(first.query);
    await sql`alter table users drop column closes_at`.execute(first.query);
    for (const column of ['browser', 'system', 'place'])
      await sql`alter table sessions drop column ${sql.ref(column)}`.execute(first.query);
    for (const table of [
      'live_presences',
      'live_votes',
      'live_polls',
      'live_hands',
      'live_mutes',
      'live_messages',
      'live_talks',
      'live_streams',
      'live_bookings',
      'live_lessons',
      'guardian_consents',
      'declared_minors',
      'agreement_consents',
      'agreement_versions',
      'data_exports',
      'identities',
      'announcement_reads',
      'announcements',
      'unwanted_notices',
      'uploads',
      'own_records_on_way',
      'own_rescores',
      'last_reviews',
      'feedback_images',
      'images',
      'lesson_subtitles',
      'course_file_downloads',
      'course_files',
      'course_file_folders',
      'qa_phrases',
      'qa_key_people',
      'qa_keys',
      'qa_pack_tags',
      'qa_thread_tags',
      'qa_tags',
      'qa_terms',
      'qa_flags',
      'qa_useful',
      'plan_days',
      'sitting_plans',
      'plan_left_out',
      'plan_settings',
      'qa_revisions',
      'qa_images',
      'qa_threads',
      'qa_entries',
      'order_checks',
      'invoices',
      'refund_asks',
      'order_keepers',
      'sandbox_refunds',
      'sandbox_trades',
      'payment_inbox',
      'order_events',
      'refunds',
      'payments',
      'orders',
      'user_coupons',
      'coupon_codes',
      'coupons',
    ])
      await sql`drop table ${sql.table(table)}`.execute(first.query);
    await sql`drop index packs_shelf`.execute(first.query);
    for (const table of ['promotions', 'pack_teachers', 'pack_categories'])
      await sql`drop table ${sql.table(table)}`.execute(first.query);
    for (const column of ['category_id', 'listed_at', 'price', 'original_price', 'seats', 'sale_from', 'sale_until'])
      await sql`alter table packs drop column ${sql.ref(column)}`.execute(first.query);
    await sql`alter table enrolments drop column by_order`.execute(first.query);
    for (const table of [
      'comment_praises',
      'comments',
      'lesson_notes',
      'play_rights',
      'study_clocks',
      'lesson_progress',
      'lesson_practices',
      'lessons',
    ])
      await sql`drop table ${sql.table(table)}`.execute(first.query);
    await sql`alter table packs drop column score_state`.execute(first.query);
    for (const table of [
      'record_rescores',
      'rescore_tasks',
      'question_corrections',
      'counted_answers',
      'records_to_count',
      'question_quality',
    ])
      await sql`drop table ${sql.table(table)}`.execute(first.query);
    await sql`drop index questions_listed`.execute(first.query);
    await sql`alter table questions drop column grade_mode`.execute(first.query);
    for (const table of ['media_renditions', 'media', 'jobs'])
      await sql`drop table ${sql.table(table)}`.execute(first.query);
    await sql`drop table notices`.execute(first.query);
    await sql`drop table stand_ins`.execute(first.query);
    await sql`drop index questions_knowledge_point`.execute(first.query);
    await sql`alter table questions drop column knowledge_point`.execute(first.query);
    for (const column of ['accommodation_minutes', 'place_question_id', 'place_seq'])
      await sql`alter table exam_records drop column ${sql.ref(column)}`.execute(first.query);
    for (const table of ['accommodations', 'point_ticks', 'time_gift_records', 'time_gifts'])
      await sql`drop table ${sql.table(table)}`.execute(first.query);
    await sql`alter table questions drop column points`.execute(first.query);
    await sql`alter table exam_records drop column extra_minutes`.execute(first.query);
    for (const table of ['study_counts', 'study_days', 'question_times'])
      await sql`drop table ${sql.table(table)}`.execute(first.query);
    for (const index of ['uncounted', 'of_pack'])
      await sql`drop index ${sql.ref(`exam_records_${index}`)}`.execute(first.query);
    await sql`alter table exam_records drop column counted`.execute(first.query);
    for (const column of ['counted_seconds', 'counted_difficulty'])
      await sql`alter table exam_answers drop column ${sql.ref(column)}`.execute(first.query);
    await sql`drop table feedback_answers`.execute(first.query);
    for (const index of ['waiting', 'question'])
      await sql`drop index ${sql.ref(`exam_feedback_${index}`)}`.execute(first.query);
    for (const column of [
      'record_id',
      'key_version',
      'state',
      'answer',
      'answered_by',
      'answered_at',
      'version',
      'seen_version',
      'lesson_id',
      'device_name',
    ])
      await sql`alter table exam_feedback drop column ${sql.ref(column)}`.execute(first.query);
    for (const table of ['wrong_questions', 'review_cards', 'study_settings', 'collected_questions', 'own_papers'])
      await sql`drop table ${sql.table(table)}`.execute(first.query);
    await sql`drop index exams_kind`.execute(first.query);
    await sql`alter table exam_answers drop column guess`.execute(first.query);
    await sql`drop table record_reopenings`.execute(first.query);
    await sql`alter table captcha_tickets drop column phone_key`.execute(first.query);
    await sql`alter table captcha_tickets drop column asker`.execute(first.query);
    await sql`drop table asked_codes`.execute(first.query);
    await sql`create table sms_codes (id bigint primary key)`.execute(first.query);
    await sql`drop table known_devices`.execute(first.query);
    const tables = ['question_accuracy', 'case_revisions', 'question_revisions', 'paper_revisions', 'corrections'];
    for (const table of tables) await sql`drop table ${sql.table(table)}`.execute(first.query);
    await sql`alter table questions drop column key_version`.execute(first.query);
    await sql`alter table exam_records drop column version`.execute(first.query);
    await sql`create table question_stats (question_id bigint primary key, taken bigint not null, right_count bigint not null)`.execute(
      first.query,
    );
    await sql`insert into question_stats values (${plain}, 5, 3)`.execute(first.query);
    await first.query.updateTable('exams').set({ version: 7 }).execute();
    await sql`drop table pack_files`.execute(first.query);
    await sql`drop index questions_fingerprint`.execute(first.query);
    await sql`alter table questions drop column fingerprint`.execute(first.query);
    await sql`drop index exam_records_attempt`.execute(first.query);
    await sql`alter table exam_records drop column attempt`.execute(first.query);
    for (const column of ['most_attempts', 'retake_after', 'counted_record'])
      await sql`alter table exams drop column ${sql.ref(column)}`.execute(first.query);
    // What came between them is of other tables, and stays.
    await sql`delete from migrations where (name >= '003' and name < '007') or name >= '009'`.execute(first.query);
    await first.close();

    const db = await openDb(target, 2);
    const after = await fingerprints(db);
    for (const [id, fingerprint] of before) if (id !== withCase) expect(after.get(id)).toBe(fingerprint);
    expect(new Set(after.values())).toHaveLength(after.size - 1);
    expect(after.get(twin)).toBe(after.get(plain));
    expect([after.get(pictured), after.get(withCase)]).not.toContain(after.get(plain));
    const files = await db.query
      .selectFrom('pack_files')
      .select(['name', 'pack_id', 'open'])
      .orderBy('name')
      .orderBy('pack_id')
      .execute();
    expect(files).toEqual([
      { name: pictures[0], pack_id: two.packId, open: 0 },
      { name: pictures[1], pack_id: two.packId, open: 0 },
      { name: pictures[2], pack_id: one.packId, open: 0 },
      { name: pictures[3], pack_id: two.packId, open: 1 },
    ]);
    // Every record has the paper that stands now, and what was counted still counts.
    const records = await db.query
      .selectFrom('exam_records')
      .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
      .select(['exam_records.version', 'exams.version as now', 'exam_records.attempt'])
      .orderBy('exam_records.id')
      .execute();
    expect(records).toEqual([
      { version: 1, now: 1, attempt: 1 },
      { version: 1, now: 1, attempt: 2 },
    ]);
    expect(await db.query.selectFrom('question_accuracy').selectAll().execute()).toEqual([
      { question_id: plain, key_version: 1, taken: 5, right_count: 3, only_taker: 0 },
    ]);
    if (target.kind === 'postgres') await sql`drop schema ${sql.id(target.schema ?? '')} cascade`.execute(db.query);
    await db.close();
  });

  it('has the corrections from before looked through for own papers too', async () => {
    const at: DbTarget =
      target.kind === 'sqlite'
        ? { ...target, path: join(folder, 'marks.db') }
        : { ...target, schema: `test_${randomBytes(6).toString('hex')}` };
    const first = await openDb(at, 1);
    const kit = { db: first, time: { now: 1 } };
    const pack = await makePack(kit);
    const [questionId = 0] = await makeQuestions(kit, pack, [{ type: 2, right: 'A' }]);
    const teacher = { phone: '15000000001', password_hash: null, nickname: '老师', created_at: 1 };
    const { id } = await first.query.insertInto('users').values(teacher).returning('id').executeTakeFirstOrThrow();
    const { id: correctionId } = await first.query
      .insertInto('corrections')
      .values({ pack_id: pack.packId, made_at: 1, noted: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await first.query
      .insertInto('question_corrections')
      .values({
        correction_id: correctionId,
        question_id: questionId,
        teacher_id: id,
        reason: '答案印错了',
        changes: '{}',
        made_at: 1,
        done_at: null,
      })
      .execute();
    for (const table of ['own_records_on_way', 'own_rescores', 'last_reviews'])
      await sql`drop table ${sql.table(table)}`.execute(first.query);
    await sql`drop index question_corrections_undone`.execute(first.query);
    await sql`delete from migrations where name in ('019-marks', '051-waiting-corrections')`.execute(first.query);
    await first.close();
    const db = await openDb(at, 2);
    expect(await db.query.selectFrom('own_rescores').selectAll().execute()).toEqual([
      { correction_id: correctionId, after_exam: 0, done: 0 },
    ]);
    if (at.kind === 'postgres') await sql`drop schema ${sql.id(at.schema ?? '')} cascade`.execute(db.query);
    await db.close();
  });

  it('has corrections that own papers wait for looked through again, and calls them done no more', async () => {
    const at: DbTarget =
      target.kind === 'sqlite'
        ? { ...target, path: join(folder, 'waiting.db') }
        : { ...target, schema: `test_${randomBytes(6).toString('hex')}` };
    const first = await openDb(at, 1);
    const kit = { db: first, time: { now: 1 } };
    const person = (phone: string) => ({ phone, password_hash: null, nickname: '某人', created_at: 1 });
    const [{ id: userId = 0 } = {}] = await first.query
      .insertInto('users')
      .values(person('15000000001'))
      .returning('id')
      .execute();
    /** A correction that is said to be done, and an own paper that was begun before it. */
    const corrected = async (record: { submitted_at: number | null; listed: boolean }) => {
      const pack = await makePack(kit);
      const [questionId = 0] = await makeQuestions(kit, pack, [{ type: 2, right: 'A' }]);
      const examId = await makeExam(kit, pack, { kind: 'own', questionIds: [] });
      const paper = { exam_id: examId, user_id: userId, purpose: 'chosen' as const, made_at: 1 };
      await first.query
        .insertInto('own_papers')
        .values({ ...paper, questions: `[[${questionId},2]]` })
        .execute();
      const { id: recordId } = await first.query
        .insertInto('exam_records')
        .values({ user_id: userId, exam_id: examId, pack_id: pack.packId, started_at: 1, ends_at: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      await first.query
        .updateTable('exam_records')
        .set({ submitted_at: record.submitted_at })
        .where('id', '=', recordId)
        .execute();
      const { id } = await first.query
        .insertInto('corrections')
        .values({ pack_id: pack.packId, made_at: 1, noted: 1 })
        .returning('id')
        .executeTakeFirstOrThrow();
      const by = { correction_id: id, question_id: questionId, teacher_id: userId, reason: '答案印错了' };
      await first.query
        .insertInto('question_corrections')
        .values({ ...by, changes: '{}', made_at: 1, done_at: 5 })
        .execute();
      await first.query.insertInto('own_rescores').values({ correction_id: id, after_exam: examId, done: 1 }).execute();
      if (record.listed)
        await sql`insert into own_records_to_rescore (record_id) values (${recordId})`.execute(first.query);
      return { id, examId };
    };
    await sql`drop table own_records_on_way`.execute(first.query);
    await sql`drop index question_corrections_undone`.execute(first.query);
    await sql`create table own_records_to_rescore (record_id bigint primary key)`.execute(first.query);
    await sql`delete from migrations where name = '051-waiting-corrections'`.execute(first.query);
    const open = await corrected({ submitted_at: null, listed: false });
    const waits = await corrected({ submitted_at: 2, listed: true });
    const over = await corrected({ submitted_at: 2, listed: false });
    await first.close();
    const db = await openDb(at, 2);
    const rows = await db.query
      .selectFrom('own_rescores')
      .innerJoin('question_corrections', 'question_corrections.correction_id', 'own_rescores.correction_id')
      .select(['own_rescores.correction_id', 'after_exam', 'done', 'done_at'])
      .orderBy('own_rescores.correction_id')
      .execute();
    expect(rows).toEqual([
      { correction_id: open.id, after_exam: 0, done: 0, done_at: null },
      { correction_id: waits.id, after_exam: 0, done: 0, done_at: null },
      { correction_id: over.id, after_exam: over.examId, done: 1, done_at: 5 },
    ]);
    if (at.kind === 'postgres') await sql`drop schema ${sql.id(at.schema ?? '')} cascade`.execute(db.query);
    await db.close();
  });

  it('keeps which question was corrected, beside corrections that name a paper', async () => {
    const at: DbTarget =
      target.kind === 'sqlite'
        ? { ...target, path: join(folder, 'rules.db') }
        : { ...target, schema: `test_${randomBytes(6).toString('hex')}` };
    const first = await openDb(at, 1);
    const kit = { db: first, time: { now: 1 } };
    const pack = await makePack(kit);
    const [questionId = 0] = await makeQuestions(kit, pack, [{ type: 2, right: 'A' }]);
    const examId = await makeExam(kit, pack, { questionIds: [questionId] });
    const teacher = { phone: '15000000001', password_hash: null, nickname: '老师', created_at: 1 };
    const { id: teacherId } = await first.query
      .insertInto('users')
      .values(teacher)
      .returning('id')
      .executeTakeFirstOrThrow();
    const corrected = async (db: Db, of: { question_id: number } | { exam_id: number }) => {
      const { id } = await db.query
        .insertInto('corrections')
        .values({ pack_id: pack.packId, made_at: 1, noted: 1 })
        .returning('id')
        .executeTakeFirstOrThrow();
      const said = { correction_id: id, teacher_id: teacherId, reason: '印错了', changes: '{}', made_at: 1 };
      await db.query
        .insertInto('question_corrections')
        .values({ ...said, ...of })
        .execute();
      await db.query
        .insertInto('rescore_tasks')
        .values({ correction_id: id, exam_id: examId, from_version: 1, to_version: 2 })
        .execute();
      return id;
    };
    const before = await corrected(first, { question_id: questionId });
    // As it was: each table that hangs on a correction names its question, too.
    for (const table of ['rescore_tasks', 'record_rescores'])
      await sql`alter table ${sql.table(table)} add column question_id bigint references questions (id)`.execute(
        first.query,
      );
    await sql`update rescore_tasks set question_id = ${questionId}`.execute(first.query);
    await sql`drop index question_corrections_of_papers`.execute(first.query);
    await sql`alter table question_corrections drop column exam_id`.execute(first.query);
    await sql`delete from migrations where name = '067-corrected-rules'`.execute(first.query);
    await first.close();
    const db = await openDb(at, 2);
    const after = await corrected(db, { exam_id: examId });
    expect(
      await db.query
        .selectFrom('question_corrections')
        .innerJoin('rescore_tasks', 'rescore_tasks.correction_id', 'question_corrections.correction_id')
        .select(['question_corrections.correction_id', 'question_id', 'question_corrections.exam_id', 'to_version'])
        .orderBy('question_corrections.correction_id')
        .execute(),
    ).toEqual([
      { correction_id: before, question_id: questionId, exam_id: null, to_version: 2 },
      { correction_id: after, question_id: null, exam_id: examId, to_version: 2 },
    ]);
    if (at.kind === 'postgres') await sql`drop schema ${sql.id(at.schema ?? '')} cascade`.execute(db.query);
    await db.close();
  });

  it('counts the tags of questions that others see, by pack', async () => {
    const at: DbTarget =
      target.kind === 'sqlite'
        ? { ...target, path: join(folder, 'tags.db') }
        : { ...target, schema: `test_${randomBytes(6).toString('hex')}` };
    const first = await openDb(at, 1);
    const kit = { db: first, time: { now: 1 } };
    const [one, two] = [await makePack(kit), await makePack(kit)];
    const person = { phone: '15000000001', password_hash: null, nickname: '某人', created_at: 1 };
    const { id: userId } = await first.query
      .insertInto('users')
      .values(person)
      .returning('id')
      .executeTakeFirstOrThrow();
    const tags: number[] = [];
    for (const tag of ['极限', '导数', '没人用'])
      tags.push(
        (await first.query.insertInto('qa_tags').values({ tag, count: 9 }).returning('id').executeTakeFirstOrThrow())
          .id,
      );
    const [limits = 0, slopes = 0, none = 0] = tags;
    const ask = async ({ packId, courseId }: typeof one, listed: 0 | 1, tagIds: readonly number[]) => {
      const entry = { kind: 'question' as const, user_id: userId, feedback_desc: '问', created_at: 1 };
      const rest = {
        thread_id: null,
        parent_id: null,
        state: null,
        edited_at: null,
        deleted_at: null,
        client_id: null,
      };
      const { id } = await first.query
        .insertInto('qa_entries')
        .values({ ...entry, ...rest })
        .returning('id')
        .executeTakeFirstOrThrow();
      await first.query
        .insertInto('qa_threads')
        .values({
          ...{ id, user_id: userId, pack_id: packId, course_id: courseId, lesson_id: null, position: null },
          ...{ question_id: null, record_id: null, feedback_type: 41, promised_at: null, due_at: 1 },
          ...{ teacher_id: null, answered_by: null, listed, created_at: 1 },
        })
        .execute();
      for (const tagId of tagIds)
        await first.query.insertInto('qa_thread_tags').values({ thread_id: id, tag_id: tagId }).execute();
    };
    await ask(one, 1, [limits, slopes]);
    await ask(one, 1, [limits]);
    await ask(one, 0, [limits, none]);
    await ask(two, 1, [slopes]);
    await sql`drop table qa_pack_tags`.execute(first.query);
    await sql`delete from migrations where name = '063-tags-of-packs'`.execute(first.query);
    await first.close();
    const db = await openDb(at, 2);
    const counts = db.query.selectFrom('qa_pack_tags').select(['pack_id', 'tag_id', 'count']);
    expect(await counts.orderBy('pack_id').orderBy('tag_id').execute()).toEqual([
      { pack_id: one.packId, tag_id: limits, count: 2 },
      { pack_id: one.packId, tag_id: slopes, count: 1 },
      { pack_id: two.packId, tag_id: slopes, count: 1 },
    ]);
    const all = await db.query.selectFrom('qa_tags').select(['id', 'count']).orderBy('id').execute();
    expect(all.map(({ count }) => count)).toEqual([2, 2, 0]);
    if (at.kind === 'postgres') await sql`drop schema ${sql.id(at.schema ?? '')} cascade`.execute(db.query);
    await db.close();
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyCall, calls } from '#contract/all.ts';
import type { Call } from '#contract/call.ts';
import type { Refusal } from '#contract/envelope.ts';
import { TYPED_ID_LONGEST } from '#contract/values/account.ts';
import { PASSWORD_LONGEST, SMS_CODE_LONGEST } from '#contract/values/user.ts';
import { checkNickname, checkRealName } from '#rules/user/nickname.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { makeLesson } from '#server/play/lesson.test-kit.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';

/**
 * What holds for every call, generated from the contract: a new call is covered by being declared. Visitors are refused
 * where they should be, junk in any field gets a 4xx envelope with a sentence, other people's ids give 403 or 404, no key leaves where it is not
 * declared, and every call is named in docs/spec-map.md.
 */
const all = calls.map(({ call }) => call);
const map = readFileSync(join(import.meta.dirname, '../docs/spec-map.md'), 'utf8');
const nameOf = (call: Call) => call.name as AnyCall['name'];

/** A smallest input that a schema takes. */
function plain(schema: TSchema): unknown {
  const keywords = schema as TSchema & Record<string, unknown>;
  if ('default' in keywords) return keywords.default;
  if ('const' in keywords) return keywords.const;
  // A text of a certain form has an example beside its pattern.
  if (Array.isArray(keywords.examples)) return keywords.examples[0];
  if (Array.isArray(keywords.anyOf)) return plain(keywords.anyOf[0] as TSchema);
  if (keywords.type === 'integer' || keywords.type === 'number') return keywords.minimum ?? 1;
  if (keywords.type === 'string') return 'a'.repeat(Math.max(8, Number(keywords.minLength ?? 1)));
  if (keywords.type === 'boolean') return true;
  if (keywords.type === 'array') {
    return Array.from({ length: Number(keywords.minItems ?? 0) }, () => plain(keywords.items as TSchema));
  }
  if (keywords.type === 'object') {
    const required = (keywords.required ?? []) as string[];
    const properties = keywords.properties as Record<string, TSchema>;
    return Object.fromEntries(required.map((name) => [name, plain(properties[name] as TSchema)]));
  }
  return null;
}

const junk: unknown[] = [
  null,
  '',
  ' ',
  'abc',
  -1,
  0,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '9'.repeat(400),
  '\u0000',
  "'; drop table users; --",
  '‮𠮷😀',
  [],
  [[]],
  {},
  { a: 1 },
  true,
  ['a', null],
  '%00',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '１２',
  'A'.repeat(25_000),
];

interface Taken {
  /** The field the junk is in; null: in place of the whole input. */
  field: string | null;
  takes: (value: unknown) => boolean;
}
/** In an address every value is a text. */
const textUpTo = (most: number) => (value: unknown) => String(value).length <= most;
/** In a query an empty value counts as left out (docs/decisions/013-what-a-literal-client-sends.md). */
const empty = (value: unknown) => String(value) === '';
/** Of a flag only 1 narrows a list. */
const notOne = (value: unknown) => value === 0 || empty(value);
/** Of a list any id bounds it. */
const anyId = (value: unknown) => value === Number.MAX_SAFE_INTEGER || empty(value);
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTyped = (most: number) => (value: unknown) =>
  typeof value === 'string' && value !== '\u0000' && value.length >= 1 && value.length <= most;
const isCode = isTyped(SMS_CODE_LONGEST);
/** Junk that a call rightly takes; every other call refuses all of it. */
const taken: Partial<Record<AnyCall['name'], Taken[]>> = {
  // It reads nothing from its input.
  'POST /api/user/logout': [{ field: null, takes: isObject }],
  // Whoever names no session means all others; to take back what was not asked for changes nothing.
  'POST /api/user/session_end': [{ field: null, takes: isObject }],
  'POST /api/user/close_withdraw': [{ field: null, takes: isObject }],
  // Nothing that it knows: nothing changes, as with a code but no new phone. A person may have any name.
  'POST /api/user/update': [
    { field: null, takes: isObject },
    { field: 'nickname', takes: (value) => typeof value === 'string' && checkNickname(value, 'student').ok },
    { field: 'userName', takes: (value) => typeof value === 'string' && checkRealName(value).ok },
    // The default avatar again; a NUL is as not written (docs/decisions/013-what-a-literal-client-sends.md).
    { field: 'avatar', takes: (value) => value === '' || value === '\u0000' },
    { field: 'oldSmsCode', takes: isCode },
    { field: 'newSmsCode', takes: isCode },
    // They stand in for a code that cannot be sent, where the phone is changed; alone they change nothing.
    { field: 'password', takes: isTyped(PASSWORD_LONGEST) },
    { field: 'idNumber', takes: isTyped(TYPED_ID_LONGEST) },
  ],
  // A pack that is not there has no records.
  'GET /api/user/exam_list': [
    { field: 'packId', takes: (value) => value === Number.MAX_SAFE_INTEGER || empty(value) },
    ...['kind', 'state', 'pageNum', 'pageSize'].map((field) => ({ field, takes: empty })),
  ],
  // In an address an empty page is the first one.
  'GET /app/feedback/history': ['pageNum', 'pageSize'].map((field) => ({ field, takes: empty })),
  'GET /api/order/list': ['packId', 'state', 'pageNum', 'pageSize'].map((field) => ({
    field,
    // A pack that is not there was not ordered.
    takes: (value: unknown) => empty(value) || (field === 'packId' && value === Number.MAX_SAFE_INTEGER),
  })),
  // Without a pack all coupons.
  'GET /api/coupon/list': [{ field: 'packId', takes: empty }],
  'GET /app/course_file/downloaded': ['pageNum', 'pageSize'].map((field) => ({ field, takes: empty })),
  'GET /app/common/notice': ['pageNum', 'pageSize', 'beforeAt'].map((field) => ({
    field,
    takes: field === 'beforeAt' ? anyId : empty,
  })),
  'POST /app/common/notice_topic': [{ field: 'wanted', takes: (value) => value === 0 }],
  'GET /app/qa/newest': ['packId', 'answered', 'flag', 'pageNum', 'pageSize', 'beforeId'].map((field) => ({
    field,
    takes: field === 'answered' || field === 'flag' ? notOne : field === 'beforeId' ? anyId : empty,
  })),
  // Without a pack those of all packs that one has.
  'GET /app/live/list': ['packId', 'pageNum', 'pageSize'].map((field) => ({ field, takes: empty })),
  'GET /app/qa/info_student': [{ field: 'packId', takes: empty }],
  'GET /app/qa/search': [
    { field: 'keyword', takes: textUpTo(60) },
    { field: 'tag', takes: textUpTo(20) },
    { field: 'beforeId', takes: anyId },
    ...['packId', 'pageNum', 'pageSize'].map((field) => ({ field, takes: empty })),
  ],
  // A category that is not there has no packs.
  'GET /api/common/course_list': [
    { field: 'keyword', takes: textUpTo(60) },
    { field: 'categoryId', takes: anyId },
    ...['hasLessons', 'hasExams'].map((field) => ({ field, takes: notOne })),
    ...['price', 'sort', 'afterPlace', 'pageNum', 'pageSize'].map((field) => ({ field, takes: empty })),
  ],
  'GET /api/common/course_suggest': [{ field: 'keyword', takes: textUpTo(60) }],
  'GET /app/qa/recommend_reply': [
    { field: 'feedbackDesc', takes: textUpTo(1000) },
    ...['packId', 'id'].map((field) => ({ field, takes: empty })),
  ],
  'GET /api/qa/search_tag': [
    { field: 'keyword', takes: textUpTo(60) },
    { field: 'packId', takes: empty },
  ],
  // What is not left out is taken in again already.
  'POST /app/plan/leave_out': [{ field: 'out', takes: (value) => value === 0 }],
  // No goal any more, and nothing to compare.
  'POST /app/university/goal': [{ field: 'universityId', takes: (value) => value === null }],
  'POST /app/university/compare': [
    { field: 'universityIds', takes: (value) => Array.isArray(value) && value.length === 0 },
  ],
  // Whatever a person types is a search, and finds nothing where nothing has it.
  'GET /app/university/suggest': [{ field: 'name', takes: textUpTo(60) }],
  'GET /app/university/list': [
    { field: 'name', takes: textUpTo(60) },
    { field: 'prov', takes: textUpTo(30) },
    { field: 'city', takes: textUpTo(30) },
    { field: 'pageNum', takes: empty },
    { field: 'pageSize', takes: empty },
    { field: 'is985', takes: notOne },
    { field: 'is211', takes: notOne },
    { field: 'isDfc', takes: notOne },
  ],
};

/** A type of feedback that a call takes: of exam questions, or of questions to teachers. */
const typeFor = ({ name }: Call) => (name === 'POST /app/feedback/lx_submit' ? 13 : 41);

describe('every call', () => {
  it.each(all.map((call) => [call.name, call] as const))(
    '%s stands in docs/spec-map.md and names its source',
    (_name, call) => {
      expect(map).toContain(call.path);
      expect(call.says).toMatch(/\.$/);
      // "spec §7", "decisions §2, §7" or a record of docs/decisions; several are joined with ";".
      for (const source of call.source.split('; '))
        expect(source).toMatch(/^((product )?spec|decisions) §|^docs\/decisions\/\d{3}-/);
    },
  );

  it('of a student that names a pack asks for enrolment, but for those that enrol', () => {
    const named = all.filter(
      ({ who, input }) => ['user', 'enrolled'].includes(who) && input.required?.includes('packId'),
    );
    const others = named.filter((call) => call.who !== 'enrolled').map(({ name }) => name);
    expect(others).toEqual(['POST /api/course/course_join', 'POST /api/order/create_order']);
    for (const call of all.filter(({ who }) => who === 'enrolled'))
      expect(call.refuses, call.name).toEqual(expect.arrayContaining(['notFound', 'notEnrolled']));
  });

  it('has a path of its own', () => {
    expect(new Set(all.map((call) => call.name)).size).toBe(all.length);
  });
});

describe.each(databases)('every call on $name', ({ kind }) => {
  let kit: TestApp;
  let user: TestUser;
  beforeAll(async () => {
    kit = await testApp(kind);
    user = await kit.user();
  });
  afterAll(() => kit.close());

  it.each(all.filter((call) => call.who !== 'visitor').map((call) => [call.name, call] as const))(
    '%s refuses a visitor',
    async (_name, call) => {
      const reply = await kit.raw(nameOf(call), plain(call.input));
      expect([reply.code, reply.status, reply.data]).toEqual([401, 401, { why: 'notSignedIn' }]);
      expect(reply.msg).toBe('请先登录');
    },
  );

  it.each(all.filter((call) => call.who === 'teacher').map((call) => [call.name, call] as const))(
    '%s refuses a student',
    async (_name, call) => {
      expect((await kit.raw(nameOf(call), plain(call.input), { as: user })).code).toBe(403);
    },
  );

  const ofKeepers = all.filter((call) => call.refuses.includes('noOrderRight'));
  it('knows what only keepers of the orders may do', () => expect(ofKeepers.length).toBeGreaterThan(14));
  it.each(ofKeepers.map((call) => [call.name, call] as const))(
    '%s refuses a teacher who keeps no orders',
    async (_name, call) => {
      const as = await kit.user('teacher');
      expect(await kit.raw(nameOf(call), plain(call.input), { as })).toMatchObject({
        code: 403,
        msg: expect.stringMatching(/[\u4e00-\u9fff]/),
        data: { why: 'noOrderRight' },
      });
    },
  );

  it.each(all.filter((call) => call.writes).map((call) => [call.name, call] as const))(
    '%s refuses a request that another site started',
    async (_name, call) => {
      for (const headers of [
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'null' },
      ] as Record<string, string>[]) {
        const reply = await kit.raw(nameOf(call), plain(call.input), { as: user, headers });
        expect([reply.code, reply.data]).toEqual([403, { why: 'crossSite' }]);
      }
    },
  );

  it.each(all.filter((call) => call.writes && call.method === 'GET').map((call) => [call.name, call] as const))(
    '%s refuses what a browser asks for by itself: an address that was opened, a picture, a page fetched ahead',
    async (_name, call) => {
      for (const headers of [
        { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
        { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
        { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
        { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
        { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
        { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' },
        { accept: 'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8' },
      ] as Record<string, string>[]) {
        const reply = await kit.raw(nameOf(call), plain(call.input), { as: user, headers });
        expect([headers, reply.code, reply.data]).toEqual([headers, 403, { why: 'notByAddress' }]);
      }
      const program = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
      for (const headers of [program, {}, { accept: 'application/json, text/plain, */*' }] as Record<
        string,
        string
      >[]) {
        const reply = await kit.raw(nameOf(call), plain(call.input), { as: user, headers });
        expect(reply.data).not.toMatchObject({ why: 'notByAddress' });
      }
    },
  );

  it.each(all.map((call) => [call.name, call] as const))(
    '%s refuses junk in each of its fields with a 4xx and a sentence',
    async (_name, call) => {
      const fields: (string | null)[] = [null, ...Object.keys(call.input.properties)];
      const rules = taken[nameOf(call)] ?? [];
      // A person of its own: after a logout everything would only be refused to a visitor.
      for (const as of [await kit.user(), undefined]) {
        for (const field of fields) {
          // An address is always made of fields.
          if (field === null && call.method === 'GET') continue;
          const rule = rules.find((rule) => rule.field === field);
          const ask = (value: unknown) => {
            const input = field === null ? value : { ...(plain(call.input) as object), [field]: value };
            return [value, input, kit.raw(nameOf(call), input, { as })] as const;
          };
          // What waits for others anyway is sent with them.
          const asked = call.gathered ? junk.map(ask) : [];
          for (const [at, junkValue] of junk.entries()) {
            const [value, input, answer] = asked[at] ?? ask(junkValue);
            const reply = await answer;
            const said = `${call.name} ${JSON.stringify(input)?.slice(0, 200)} → ${JSON.stringify(reply).slice(0, 200)}`;
            expect(reply.code, said).toBe(reply.status);
            expect(typeof reply.msg, said).toBe('string');
            if (rule?.takes(value) && (as || call.who === 'visitor')) {
              expect(reply.code, said).toBe(200);
              continue;
            }
            expect(Math.floor(reply.code / 100), said).toBe(4);
            expect(reply.msg, said).toMatch(/\p{Script=Han}/u);
            // What the contract does not allow is refused for that, not for an id that happens to be wrong too.
            if (
              as &&
              ['user', 'enrolled'].includes(call.who) &&
              call.method === 'POST' &&
              !Value.Check(call.input, input)
            ) {
              expect(['badInput', 'tooLarge', 'wrongType'], said).toContain((reply.data as Refusal).why);
            }
          }
        }
      }
    },
  );
});

describe.each(databases)("another student's ids on $name", ({ kind }) => {
  let kit: TestApp;
  let other: TestUser;
  let ids: Record<string, number>;
  beforeAll(async () => {
    kit = await testApp(kind);
    const owner = await kit.user();
    other = await kit.user();
    const pack = await makePack(kit, { enrol: 'closed', students: [owner] });
    const questions = await makeQuestions(kit, pack, [
      { type: 2, right: 'B' },
      { type: 4, right: '<p>x</p>' },
    ]);
    const examId = await makeExam(kit, pack, { questionIds: questions });
    const record = await kit.ok('GET /app/exam/test_start', { examId }, { as: owner });
    await kit.ok('POST /api/exam/submit', { examId, recordId: record.recordId }, { as: owner });
    ids = {
      recordId: record.recordId,
      examId,
      packId: pack.packId,
      chapterId: pack.chapterIds[0],
      questionId: questions[1] ?? 0,
      resourceId: pack.courseId,
    };
  });
  afterAll(() => kit.close());

  const owned = all.filter(
    (call) =>
      call.who !== 'visitor' && ['recordId', 'examId', 'packId'].some((field) => call.input.required?.includes(field)),
  );
  it.each(owned.map((call) => [call.name, call] as const))('%s gives 403 or 404', async (_name, call) => {
    const input = plain(call.input) as Record<string, unknown>;
    for (const field of Object.keys(input)) if (field in ids) input[field] = ids[field];
    if ('feedbackType' in input) input.feedbackType = typeFor(call);
    const reply = await kit.raw(nameOf(call), input, { as: other });
    expect([403, 404], `${call.name} → ${JSON.stringify(reply)}`).toContain(reply.code);
  });
});

describe.each(databases)('every call in a pack on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());

  it.each(all.filter((call) => call.who === 'enrolled').map((call) => [call.name, call] as const))(
    '%s refuses who is not enrolled, and everybody once the pack is archived',
    async (_name, call) => {
      const [inside, outside] = [await kit.user(), await kit.user()];
      const pack = await makePack(kit, { students: [inside] });
      const ids: Record<string, unknown> = {
        packId: pack.packId,
        firstVideoId: await makeLesson(kit, pack),
        chapterId: pack.chapterIds[0],
        resourceId: pack.courseId,
        feedbackType: typeFor(call),
      };
      const input = { ...(plain(call.input) as object), resourceId: pack.courseId } as Record<string, unknown>;
      for (const field of Object.keys(input)) if (field in ids) input[field] = ids[field];
      const why = async (as: TestUser) => {
        const { code, data } = await kit.raw(nameOf(call), input, { as });
        return code === 200 ? 'ok' : (data as Refusal).why;
      };
      // A pack without questions has none to practise.
      const open = call.refuses.find((refusal) => refusal === 'noQuestions' || refusal === 'bankTooSmall') ?? 'ok';
      expect([await why(inside), await why(outside)]).toEqual([open, 'notEnrolled']);
      await kit.db.query.updateTable('packs').set({ archived: 1 }).where('id', '=', pack.packId).execute();
      expect([await why(inside), await why(outside)]).toEqual(['notFound', 'notFound']);
    },
  );
});

describe('keys', () => {
  /** The calls that may carry a key (decisions §3): a new one is added here on purpose, with its rule. */
  const mayReveal = [
    'POST /app/exam/show_answer',
    'GET /app/exam/recite',
    'GET /app/exam/review',
    // What was graded before, but for the questions of an open scored exam.
    'GET /api/exam/error',
    'GET /app/question/error_list',
    'POST /app/v2/exam/save_review',
    'GET /app/exam/collection',
    // Where the screen shows them too; of an open scored exam none (rules/exam/print.ts).
    'GET /app/exam/print',
    // Teachers see keys: they look after the questions.
    'GET /app/feedback/report',
    'POST /app/feedback/answer',
    'GET /app/question/quality',
    'POST /app/question/correct',
    'POST /app/question/retire',
    'POST /app/question/restore',
    'GET /app/qa/question',
    'POST /app/qa_core/answer',
    'POST /app/qa_core/edit_answer',
    'POST /app/qa_core/hide',
    'POST /app/qa_core/set_tags',
  ];
  const secret = /"(rightAnswer|answerAnalysis|accuracyRate|points|ticks)"/;
  it.each(all.map((call) => [call.name, call] as const))(
    '%s declares a key only if it may reveal one',
    (name, call) => {
      expect(secret.test(JSON.stringify(call.data))).toBe(mayReveal.includes(name));
    },
  );
});

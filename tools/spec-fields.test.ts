import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { type AnyCall, calls } from '#contract/all.ts';

/**
 * The entities of section 3 of the product spec that are built, with the names of their fields as the spec prints them.
 * A client that was written from the spec finds each field in the calls named here. What a call leaves out is said with
 * its reason, and is checked as well: once it is there, the line here goes.
 */
interface Given {
  call: AnyCall['name'];
  /** The way from the call's `data` (or its input) to the entity; `*` is any entry of a list. */
  at: readonly string[];
  of?: 'input';
  /** Fields of the entity that this call does not give, and why. */
  without?: Readonly<Record<string, string>>;
}

interface Entity {
  fields: readonly string[];
  given: readonly Given[];
}

const KEY = {
  rightAnswer: 'a key (decisions §3 "No answer leaks")',
  answerAnalysis: 'a key',
  accuracyRate: 'a key',
};
const IN_CACHE = '/api/exam/cache has it';
const OF_RECORD = { answer: IN_CACHE, state: IN_CACHE, flag: IN_CACHE };
const NO_RECORD = { answer: 'no record', state: 'no record', flag: 'no record' };
const DETAIL_TEXTS = Object.fromEntries(
  [
    'historicalContinuation',
    'education',
    'laboratorySituation',
    'subjectReview',
    'specialty',
    'keyInformationPoints',
  ].map((field) => [field, 'long texts: /app/university/details has them']),
);

const entities: Record<string, Entity> = {
  Question: {
    fields: [
      ...['questionId', 'questionTypesId', 'topic', 'options', 'rightAnswer', 'answer', 'answerAnalysis'],
      ...['accuracyRate', 'score', 'state', 'flag', 'parentCaseStudyId', 'showAnswerFlag'],
    ],
    given: [
      { call: 'GET /app/exam/review', at: ['questions', '*'] },
      { call: 'GET /api/exam/details', at: ['questions', '*'], without: { ...KEY, ...OF_RECORD } },
      { call: 'GET /app/question/list', at: ['list', '*'], without: { ...KEY, ...NO_RECORD } },
      { call: 'GET /app/exam/recite', at: ['questions', '*'], without: OF_RECORD },
      { call: 'POST /app/exam/show_answer', at: ['question'], without: OF_RECORD },
    ],
  },
  'Question, its part of a record': {
    fields: ['questionId', 'answer', 'state', 'flag', 'showAnswerFlag'],
    given: [{ call: 'GET /api/exam/cache', at: ['answers', '*'] }],
  },
  'Answer record': {
    fields: ['answer', 'isSubmit', 'questionId', 'myScore', 'judgeFlag'],
    given: [
      { call: 'GET /api/exam/cache', at: ['answers', '*'] },
      { call: 'GET /app/exam/review', at: ['questions', '*'] },
      {
        call: 'POST /app/exam/subjective_submit',
        at: [],
        of: 'input',
        without: { answer: 'handed in before', isSubmit: 'handed in before' },
      },
    ],
  },
  'Exam context': {
    fields: [
      ...['examId', 'recordId', 'examName', 'packId', 'courseId', 'examMode', 'questionMode', 'examType'],
      ...['testType', 'totalTime', 'examTime'],
    ],
    given: [
      { call: 'GET /app/exam/test_start', at: [] },
      { call: 'GET /api/exam/cache', at: [] },
      { call: 'GET /app/exam/review', at: [] },
      { call: 'GET /app/exam/result_tip', at: [] },
      { call: 'GET /api/user/exam_list', at: ['list', '*'] },
      { call: 'POST /app/exam/history', at: ['list', '*'] },
      { call: 'POST /app/exam/test_history', at: ['list', '*'] },
      {
        call: 'GET /api/exam/exam_list',
        at: ['list', '*'],
        without: {
          recordId: 'a paper, not a record: openRecordId and lastRecordId',
          examType: 'a paper, not a record',
          totalTime: 'a paper, not a record',
        },
      },
    ],
  },
  'Chapter tree node (exam)': {
    fields: [
      ...['id', 'name', 'courseId', 'packId', 'level', 'childes', 'isShow', 'totalQuestion', 'doneCount', 'lastState'],
    ],
    given: [
      { call: 'GET /app/question/index', at: ['courses', '*', 'chapters', '*'] },
      { call: 'GET /app/question/index', at: ['courses', '*', 'chapters', '*', 'childes', '*'] },
      { call: 'GET /app/question/index', at: ['courses', '*', 'chapters', '*', 'childes', '*', 'childes', '*'] },
    ],
  },
  University: {
    fields: [
      ...['id', 'name', 'logoUrl', 'tags', 'officialWeb', 'tel', 'schoolLocation', 'affiliation', 'relationship'],
      ...Object.keys(DETAIL_TEXTS),
    ],
    given: [
      { call: 'GET /app/university/details', at: [] },
      { call: 'GET /app/university/list', at: ['list', '*'], without: DETAIL_TEXTS },
      { call: 'GET /app/university/goal', at: ['compare', '*'], without: DETAIL_TEXTS },
    ],
  },
  'University, query params': {
    fields: ['pageNum', 'name', 'prov', 'city', 'is985', 'is211', 'isDfc'],
    given: [{ call: 'GET /app/university/list', at: [], of: 'input' }],
  },
  'University, store values': {
    fields: ['total', 'loading', 'hasMore'],
    given: [{ call: 'GET /app/university/list', at: [], without: { loading: 'known to the browser only' } }],
  },
  'Province entry': {
    fields: ['prov', 'cityList'],
    given: [{ call: 'GET /app/university/province_list', at: ['*'] }],
  },
  User: {
    fields: ['userName', 'nickname', 'avatarUrlExt', 'validPhoneExt', 'studentId'],
    given: [{ call: 'GET /api/user/info', at: ['user'] }],
  },
  'Course info': {
    fields: ['buyState', 'scoreState', 'packageName'],
    given: [
      { call: 'GET /api/common/course_details', at: [] },
      { call: 'GET /api/common/course_list', at: ['list', '*'] },
      { call: 'GET /api/user/course_list', at: ['list', '*'] },
    ],
  },
  'Chapter node (course play)': {
    fields: [
      ...['id', 'name', 'level', 'leaf', 'duration', 'childes', 'isShow', 'videoResourceId', 'firstVideoId'],
      ...['firstCourseId', 'certState', 'status', 'nodeState', 'lockStatus', 'videoState'],
    ],
    given: [
      { call: 'GET /app/course/chapters', at: ['list', '*'] },
      { call: 'GET /app/course/chapters', at: ['list', '*', 'childes', '*', 'childes', '*'] },
    ],
  },
  'Current play detail': {
    fields: ['firstCourseId', 'firstVideoId'],
    given: [{ call: 'GET /app/course/chapters', at: ['current'] }],
  },
  'Course info, right panel inputs': {
    fields: [
      ...['parentId', 'firstVideoId', 'firstVideoName', 'packId', 'pptUrl', 'practiceArr', 'courseFileCateArr'],
      'isAnswer',
    ],
    given: [{ call: 'GET /app/course/lesson', at: [] }],
  },
  Comment: {
    fields: ['id', 'avatarUrl', 'nickname', 'comment', 'createTime', 'praiseState', 'praiseCount', 'childes'],
    given: [{ call: 'GET /app/comment/list', at: ['list', '*'] }],
  },
  'Comment, a reply': {
    fields: ['id', 'nickname', 'comment'],
    given: [{ call: 'GET /app/comment/list', at: ['list', '*', 'childes', '*'] }],
  },
  'Exam question feedback': {
    fields: ['feedbackType', 'resourceId', 'feedbackDesc', 'packId'],
    given: [{ call: 'POST /app/feedback/lx_submit', at: [], of: 'input' }],
  },
  // Section 7 names what these calls are sent.
  save_question: {
    fields: ['examId', 'recordId', 'answer', 'questionId', 'totalTime'],
    given: [{ call: 'POST /api/exam/save_question', at: [], of: 'input' }],
  },
  flag: {
    fields: ['recordId', 'examId', 'questionId'],
    given: [{ call: 'POST /api/exam/flag', at: [], of: 'input' }],
  },
};

/** Where a schema may be null, the schema without null. */
function withoutNull(schema: TSchema): TSchema {
  const { anyOf } = schema as { anyOf?: TSchema[] };
  return anyOf?.find((choice) => (choice as { type?: string }).type !== 'null') ?? schema;
}

/** The names of the fields at the end of the way. Throws where the way ends before. */
function fieldsAt(schema: TSchema, at: readonly string[]): string[] {
  const { items, properties } = withoutNull(schema) as { items?: TSchema; properties?: Record<string, TSchema> };
  const [step, ...rest] = at;
  if (step === undefined) return Object.keys(properties ?? {});
  const next = step === '*' ? items : properties?.[step];
  if (next === undefined) throw new Error(`there is no ${step}`);
  return fieldsAt(next, rest);
}

const lines = Object.entries(entities).flatMap(([entity, { fields, given }]) =>
  given.map((place) => [entity, place.call, place.at.join('.'), fields, place] as const),
);

describe('fields of the spec', () => {
  it.each(lines)('%s in %s %s', (_entity, name, _at, fields, { at, of, without = {} }) => {
    const found = calls.find(({ call }) => call.name === name);
    if (!found) throw new Error(`no call ${name}`);
    const there = new Set(fieldsAt(of === 'input' ? found.call.input : found.call.data, at));
    const missing = fields.filter((field) => !there.has(field));
    expect(missing.sort()).toEqual(Object.keys(without).sort());
  });
});

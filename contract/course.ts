import { Type } from 'typebox';
import { call, Id, Millis, Nothing, Nullable, OneOf, Page, PageNum, YesNo } from './call.ts';
import { PACK_SEARCH_LONGEST, PACKS_PER_PAGE, packPrices, packSorts } from './values/course.ts';
import { saleStates } from './values/order.ts';
import { LARGEST_PAGE_SIZE } from './values/paging.ts';

const PackBrief = {
  packId: Id,
  packageName: Type.String(),
  summary: Type.String(),
  buyState: YesNo,
  scoreState: YesNo,
  examDate: Nullable(Type.String({ description: 'day of the real exam, YYYY-MM-DD' })),
  questionCount: Type.Integer(),
  examCount: Type.Integer({ description: 'papers: mock, past and timed' }),
  doneCount: Type.Integer({ description: 'questions answered by the caller; 0 for visitors' }),
  lessonCount: Type.Integer({ description: 'lessons that can be played or read' }),
  price: Nullable(Type.Integer({ description: 'in fen; null: it costs nothing' })),
  originalPrice: Nullable(Type.Integer({ description: 'in fen, shown struck through' })),
  categoryId: Nullable(Id),
  categoryName: Type.String({ description: 'the big category and the little one, 考研 · 数学; empty: none' }),
};
export const Pack = Type.Object(PackBrief);
export const PackCourse = Type.Object({ courseId: Id, name: Type.String(), questionCount: Type.Integer() });

/** How a list of packs is read on: the place of the last one that was read, so that new ones neither repeat nor hide any. */
const AfterPlace = Type.Optional(
  Type.String({
    maxLength: 90,
    pattern: '^-?\\d{1,16}(_-?\\d{1,16}){1,4}$',
    examples: ['1_1'],
    description: 'as the page before gave it; it counts before `pageNum`',
  }),
);
export const PacksAsked = {
  sort: Type.Optional(OneOf(packSorts)),
  pageNum: Type.Optional(PageNum),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: LARGEST_PAGE_SIZE, default: PACKS_PER_PAGE })),
  afterPlace: AfterPlace,
};
export const PackPage = {
  ...Page(Pack).properties,
  afterPlace: Nullable(Type.String({ description: 'to be sent for the next page; null: this was the last' })),
};
const Keyword = Type.String({
  maxLength: PACK_SEARCH_LONGEST,
  description: 'part of a name, a category or a teacher; pinyin and initials too',
});
const Flag = Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: '1: only these' }));

export const ListCourses = call('GET /api/common/course_list', {
  says: 'The course packs of this school that fit every filter; with a keyword the best match first.',
  source: 'spec §7 Courses and orders; docs/decisions/045-market.md',
  who: 'visitor',
  input: Type.Object({
    keyword: Type.Optional(Keyword),
    categoryId: Type.Optional({ ...Id, description: 'a big category has the packs of its little ones' }),
    price: Type.Optional(OneOf(packPrices)),
    hasLessons: Flag,
    hasExams: Flag,
    ...PacksAsked,
  }),
  data: Type.Object(PackPage),
});

export const SuggestCourses = call('GET /api/common/course_suggest', {
  says: 'At most 8 packs for what is typed, each with the reason.',
  source: 'spec §5 Search suggestions, §9; decisions §2',
  who: 'visitor',
  input: Type.Object({ keyword: Keyword }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'its packId' }),
        name: Type.String(),
        match: Type.Object({
          by: OneOf(['name', 'alias', 'pinyin', 'initials']),
          text: Type.String({ description: 'the name, category or teacher in which it was found' }),
          from: Type.Integer({ description: 'first character of `text` to highlight' }),
          to: Type.Integer({ description: 'character of `text` after the highlight' }),
          reading: Type.String({ description: 'pinyin of the highlight; empty when found by its characters' }),
        }),
      }),
    ),
  }),
});

export const CourseDetails = call('GET /api/common/course_details', {
  says: 'One course pack with its courses.',
  source: 'spec §7 Courses and orders',
  who: 'visitor',
  input: Type.Object({ packId: Id }),
  data: Type.Object({
    ...PackBrief,
    description: Type.String({ description: 'sanitized HTML' }),
    enrolOpen: YesNo,
    seatsLeft: Nullable(Type.Integer({ description: 'how many may still buy it; null: no bound' })),
    saleFrom: Nullable(Millis),
    saleUntil: Nullable(Millis),
    saleState: OneOf(saleStates, { description: 'whether it can be bought now; free: it costs nothing' }),
    courses: Type.Array(PackCourse),
    teachers: Type.Array(
      Type.Object({
        name: Type.String(),
        title: Type.String({ description: 'empty: none' }),
        words: Type.String({ description: 'plain text' }),
        pictureUrl: Type.String({ description: 'empty: none' }),
      }),
    ),
  }),
  refuses: ['notFound'],
});

export const JoinCourse = call('POST /api/course/course_join', {
  says: 'Joins an open pack at no cost; joining twice is the same as once.',
  source: 'spec §7 Courses and orders',
  who: 'user',
  input: Type.Object({ packId: Id }),
  data: Nothing,
  refuses: ['notFound', 'enrolClosed', 'mustBuy'],
});

export const MyCourses = call('GET /api/user/course_list', {
  says: 'The packs the caller is enrolled in, last studied first.',
  source: 'decisions §2',
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({
    list: Type.Array(Type.Object({ ...PackBrief, joinedAt: Millis, lastStudiedAt: Nullable(Millis) })),
  }),
});

import { Type } from 'typebox';
import { call, Id, Millis, Nothing, Nullable, OneOf, YesNo } from './call.ts';
import { saleStates } from './values/order.ts';

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
};
export const Pack = Type.Object(PackBrief);
export const PackCourse = Type.Object({ courseId: Id, name: Type.String(), questionCount: Type.Integer() });

export const ListCourses = call('GET /api/common/course_list', {
  says: 'The course packs of this school.',
  source: 'spec §7 Courses and orders',
  who: 'visitor',
  input: Type.Object({}),
  data: Type.Object({ list: Type.Array(Pack) }),
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

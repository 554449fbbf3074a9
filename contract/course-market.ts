import { Type } from 'typebox';
import { call, Id, Nullable } from './call.ts';
import { Pack, PackPage, PacksAsked } from './course.ts';

const Category = { id: Id, name: Type.String(), packCount: Type.Integer({ description: 'packs on offer in it' }) };
const LittleCategory = Type.Object(Category);
const SOURCE = 'spec §7 Q&A and test, Courses and orders; docs/decisions/045-market.md';

export const ListCategories = call('GET /app/test/list_category', {
  says: 'The categories that have packs, each big one with its little ones.',
  source: SOURCE,
  who: 'visitor',
  input: Type.Object({}),
  data: Type.Object({ list: Type.Array(Type.Object({ ...Category, childes: Type.Array(LittleCategory) })) }),
});

export const CategoryPacks = call('GET /app/test/category', {
  says: 'One category with its packs; a big one has those of its little ones too.',
  source: SOURCE,
  who: 'visitor',
  input: Type.Object({ categoryId: Id, ...PacksAsked }),
  data: Type.Object({
    ...Category,
    parentId: Nullable(Type.Integer({ description: 'the big category; null: it is one' })),
    childes: Type.Array(LittleCategory),
    packs: Type.Object(PackPage),
  }),
  refuses: ['notFound'],
});

export const ListBigCategories = call('GET /api/common/course_big_list', {
  says: 'The big categories that have packs.',
  source: SOURCE,
  who: 'visitor',
  input: Type.Object({}),
  data: Type.Object({ list: Type.Array(LittleCategory) }),
});

export const ListLittleCategories = call('GET /api/common/course_little_list', {
  says: 'The little categories of a big one that have packs.',
  source: SOURCE,
  who: 'visitor',
  input: Type.Object({ categoryId: Id }),
  data: Type.Object({ list: Type.Array(LittleCategory) }),
  refuses: ['notFound'],
});

export const ListExamDays = call('GET /app/common/test', {
  says: 'The real exams ahead that packs prepare for, the nearest first.',
  source: SOURCE,
  who: 'visitor',
  input: Type.Object({}),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        packId: Id,
        packageName: Type.String(),
        categoryName: Type.String({ description: 'empty: none' }),
        examDate: Type.String({ description: 'YYYY-MM-DD' }),
      }),
    ),
  }),
});

export const ListNewest = call('GET /api/common/newest', {
  says: 'The packs that came last, the newest first.',
  source: SOURCE,
  who: 'visitor',
  input: Type.Object({}),
  data: Type.Object({ list: Type.Array(Pack) }),
});

const Promotion = Type.Object({
  id: Id,
  title: Type.String(),
  words: Type.String({ description: 'empty: none' }),
  link: Type.String({ description: 'a path of this site or an https address; empty: none' }),
  pictureUrl: Type.String({ description: 'empty: none' }),
  phonePictureUrl: Type.String({ description: 'for narrow screens; empty: the other one' }),
  alt: Type.String({ description: 'what the picture shows, for who does not see it' }),
});
const Promotions = Type.Object({ list: Type.Array(Promotion) });

export const ListBanners = call('GET /api/test/banner', {
  says: 'The banners of home that the school shows now.',
  source: SOURCE,
  who: 'visitor',
  input: Type.Object({}),
  data: Promotions,
});

export const ListAds = call('GET /app/common/ad', {
  says: 'The ads of the school that are shown above its courses now.',
  source: SOURCE,
  who: 'visitor',
  input: Type.Object({}),
  data: Promotions,
});

export const AdTip = call('GET /spread/ad_tip', {
  says: 'The small tip that the school shows now, if any.',
  source: 'spec §7 Feedback and agreement; docs/decisions/045-market.md',
  who: 'visitor',
  input: Type.Object({}),
  data: Type.Object({ tip: Nullable(Promotion) }),
});

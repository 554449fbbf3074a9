import { type Static, Type } from 'typebox';
import { call, Id, Nullable, OneOf, PageNum, YesNo } from './call.ts';
import { LARGEST_PAGE_SIZE } from './values/paging.ts';
import {
  MOST_COMPARED,
  MOST_SUGGESTIONS,
  REGION_LONGEST,
  UNIVERSITIES_PER_PAGE,
  UNIVERSITY_NAME_LONGEST,
} from './values/university.ts';

const Name = Type.String({
  maxLength: UNIVERSITY_NAME_LONGEST,
  description: 'what is typed: part of a name, a short name, pinyin or initials',
});
const Flag = Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: '1: only these' }));

/** A university as a card shows it (spec §2, §3). */
const brief = {
  id: Id,
  name: Type.String(),
  logoUrl: Type.String({ description: 'open to visitors; a card without one is not shown' }),
  prov: Type.String({ description: 'short name of the province: 江苏, 内蒙古' }),
  city: Type.String(),
  is985: YesNo,
  is211: YesNo,
  isDfc: YesNo,
  affiliation: Type.String({ description: '主管部门; empty when not known' }),
  relationship: Type.String({ description: '隶属 tag; empty when not known' }),
  tags: Type.Array(Type.String()),
  schoolLocation: Type.String({ description: 'empty when not known' }),
  officialWeb: Type.String({ description: 'http or https address; empty when not known' }),
  tel: Type.String({ description: 'empty when not known' }),
};
const UniversityBrief = Type.Object(brief);
export type University = Static<typeof UniversityBrief>;

export const ListProvinces = call('GET /app/university/province_list', {
  says: 'Provinces that have universities here, in the usual order, with their cities.',
  source: 'spec §3 Province entry, §7 University',
  who: 'visitor',
  input: Type.Object({}),
  data: Type.Array(Type.Object({ prov: Type.String(), cityList: Type.Array(Type.String()) })),
});

export const ListUniversities = call('GET /app/university/list', {
  says: 'Universities that fit every filter; with a name best match first, else in the order of the published list.',
  source: 'spec §3 University, §4 Search, §9; decisions §2, §9',
  who: 'visitor',
  input: Type.Object({
    pageNum: PageNum,
    pageSize: Type.Integer({ minimum: 1, maximum: LARGEST_PAGE_SIZE, default: UNIVERSITIES_PER_PAGE }),
    name: Type.Optional(Name),
    prov: Type.Optional(Type.String({ maxLength: REGION_LONGEST })),
    city: Type.Optional(Type.String({ maxLength: REGION_LONGEST })),
    is985: Flag,
    is211: Flag,
    isDfc: Flag,
  }),
  data: Type.Object({
    list: Type.Array(UniversityBrief),
    total: Type.Integer({ description: 'in all pages' }),
    hasMore: Type.Boolean(),
    pageNum: Type.Integer(),
  }),
});

/** Why a suggestion is one: where the typed text was found. */
const UniversityMatch = Type.Object({
  by: OneOf(['name', 'alias', 'pinyin', 'initials']),
  text: Type.String({ description: 'the name or the short name in which it was found' }),
  from: Type.Integer({ description: 'first character of `text` to highlight' }),
  to: Type.Integer({ description: 'character of `text` after the highlight' }),
  reading: Type.String({ description: 'pinyin of the highlight; empty when found by its characters' }),
});

export const SuggestUniversities = call('GET /app/university/suggest', {
  says: `At most ${MOST_SUGGESTIONS} universities for what is typed: by name, short name, pinyin or initials, each with the reason.`,
  source: 'spec §5 Search suggestions, §9; decisions §2',
  who: 'visitor',
  input: Type.Object({ name: Name }),
  data: Type.Object({
    list: Type.Array(Type.Object({ id: Id, name: Type.String(), logoUrl: Type.String(), match: UniversityMatch })),
  }),
});

export const UniversityDetails = call('GET /app/university/details', {
  says: 'One university with its six detail texts; what is not known is empty.',
  source: 'spec §2, §3 University; decisions §9',
  who: 'visitor',
  input: Type.Object({ id: Id }),
  data: Type.Object({
    ...brief,
    aliases: Type.Array(Type.String()),
    historicalContinuation: Type.String({ description: 'plain text, as are the following' }),
    education: Type.String(),
    laboratorySituation: Type.String(),
    subjectReview: Type.String(),
    specialty: Type.String(),
    keyInformationPoints: Type.String(),
  }),
  refuses: ['notFound'],
});

const Goal = Type.Object({
  target: Nullable(UniversityBrief),
  compare: Type.Array(UniversityBrief, { description: `at most ${MOST_COMPARED}, in the order they were chosen` }),
});

export const GetUniversityGoal = call('GET /app/university/goal', {
  says: 'The caller’s target university and those chosen for comparison.',
  source: 'decisions §9; docs/decisions/010-universities.md',
  who: 'user',
  input: Type.Object({}),
  data: Goal,
});

export const SetUniversityGoal = call('POST /app/university/goal', {
  says: 'Sets the target university; null takes it away.',
  source: 'decisions §9; docs/decisions/010-universities.md',
  who: 'user',
  input: Type.Object({ universityId: Nullable(Id) }),
  data: Goal,
  refuses: ['notFound'],
});

export const CompareUniversities = call('POST /app/university/compare', {
  says: 'Sets which universities the caller compares, at most three; the list replaces the one before.',
  source: 'decisions §9; docs/decisions/010-universities.md',
  who: 'user',
  input: Type.Object({ universityIds: Type.Array(Id, { maxItems: 50 }) }),
  data: Goal,
  refuses: ['notFound', 'compareFull'],
});

import {
  CompareUniversities,
  GetUniversityGoal,
  ListProvinces,
  ListUniversities,
  SetUniversityGoal,
  SuggestUniversities,
  UniversityDetails,
} from '#contract/university.ts';
import { chooseCompared } from '#rules/university/goal.ts';
import { PROVINCES } from '#rules/university/region.ts';
import { filterList, pageOf, suggest } from '#rules/university/search.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import type { AllUniversities } from './all-universities.ts';
import { findGoal, findUniversity, saveCompared, saveTarget } from './store.ts';

/** Key universities: search for everybody, a goal for students (decisions §9). */
export function universityRoutes(
  serve: Serve,
  { db }: Pick<Parts, 'db'>,
  universities: () => Promise<AllUniversities>,
): void {
  serve(ListProvinces, async () => {
    const cities = new Map<string, Set<string>>();
    for (const { prov, city } of (await universities()).list) {
      const known = cities.get(prov) ?? new Set();
      cities.set(prov, city === '' ? known : known.add(city));
    }
    return PROVINCES.filter((prov) => cities.has(prov)).map((prov) => ({
      prov,
      cityList: [...(cities.get(prov) ?? [])].sort((a, b) => a.localeCompare(b, 'zh')),
    }));
  });

  serve(ListUniversities, async ({ input }) => {
    const fitting = filterList((await universities()).list, input);
    const { list, hasMore } = pageOf(fitting, input.pageNum, input.pageSize);
    return { list: list.map((university) => university.brief), total: fitting.length, hasMore, pageNum: input.pageNum };
  });

  serve(SuggestUniversities, async ({ input }) => ({
    list: suggest((await universities()).list, input.name).map(({ item, match }) => ({
      id: item.id,
      name: item.brief.name,
      logoUrl: item.brief.logoUrl,
      match,
    })),
  }));

  serve(UniversityDetails, async ({ input }) => (await findUniversity(db.query, input.id)) ?? refuse('notFound'));

  serve(GetUniversityGoal, ({ user }) => goalOf(user.userId));

  serve(SetUniversityGoal, async ({ input, user, arrivedAt }) => {
    const { universityId } = input;
    if (universityId !== null && !(await universities()).byId.has(universityId)) return refuse('notFound');
    await saveTarget(db.query, user.userId, universityId, arrivedAt);
    return goalOf(user.userId);
  });

  serve(CompareUniversities, async ({ input, user, arrivedAt }) => {
    const chosen = chooseCompared(input.universityIds);
    if (!chosen.ok) return refuse(chosen.why, 'universityIds');
    const { byId } = await universities();
    if (!chosen.ids.every((id) => byId.has(id))) return refuse('notFound', 'universityIds');
    await saveCompared(db.query, user.userId, chosen.ids, arrivedAt);
    return goalOf(user.userId);
  });

  async function goalOf(userId: number) {
    const { targetId, compareIds } = await findGoal(db.query, userId);
    const { byId } = await universities();
    return {
      target: (targetId === null ? undefined : byId.get(targetId)?.brief) ?? null,
      compare: compareIds.flatMap((id) => byId.get(id)?.brief ?? []),
    };
  }
}

import type { DataOf } from '#contract/call.ts';
import type { SuggestUniversities } from '#contract/university.ts';
import { suggest } from '#rules/university/search.ts';
import type { AllUniversities } from './all-universities.ts';

/** Universities for what is typed, each with the reason. */
export function suggestUniversities(all: AllUniversities, typed: string): DataOf<typeof SuggestUniversities> {
  const list = suggest(all.list, typed).map(({ item, match }) => ({
    id: item.id,
    name: item.brief.name,
    logoUrl: item.brief.logoUrl,
    match,
  }));
  return { list };
}

import type { DataOf } from '#contract/call.ts';
import type { ListProvinces } from '#contract/university.ts';
import { PROVINCES } from '#rules/university/region.ts';
import type { AllUniversities } from './all-universities.ts';

/** Provinces that have universities here, in the usual order, with their cities. */
export function listProvinces({ list }: AllUniversities): DataOf<typeof ListProvinces> {
  const cities = new Map<string, Set<string>>();
  for (const { prov, city } of list) {
    const known = cities.get(prov) ?? new Set();
    cities.set(prov, city === '' ? known : known.add(city));
  }
  return PROVINCES.filter((prov) => cities.has(prov)).map((prov) => ({
    prov,
    cityList: [...(cities.get(prov) ?? [])].sort((a, b) => a.localeCompare(b, 'zh')),
  }));
}

interface ProvinceCity {
  prov: string;
  city: string;
}

/** Whether a city says no more than its province: 北京市 in 北京. */
export const sameAsProvince = ({ prov, city }: ProvinceCity) => city === prov || city.slice(0, -1) === prov;

/** Province and city in one line, the same word not twice. */
export const provinceAndCity = ({ prov, city }: ProvinceCity) =>
  city === '' || sameAsProvince({ prov, city }) ? prov : `${prov} ${city}`;

/** Places under the name of their province, or under none where it goes without saying. */
export interface PlaceGroup {
  label: string | null;
  /** `prov` is empty where a city is one of several provinces: it is chosen with all that is there. */
  places: readonly ProvinceCity[];
}

/**
 * The cities of the chosen province, or of all of them by province. One that several provinces name stands once, with its own: a university
 * of Hebei in the city of Tianjin is found at 天津市. A city out of the address shows before they have come.
 */
export function citiesOf(
  { prov, city }: ProvinceCity,
  provinces: readonly { prov: string; cityList: readonly string[] }[] | undefined,
): PlaceGroup[] {
  const shown = provinces?.filter((province) => prov === '' || province.prov === prov) ?? [];
  /** The provinces that name a city, its own first. */
  const homes = new Map<string, string[]>();
  for (const { prov: home, cityList } of shown)
    for (const name of cityList) {
      const others = homes.get(name) ?? [];
      homes.set(name, sameAsProvince({ prov: home, city: name }) ? [home, ...others] : [...others, home]);
    }
  const groups = shown.map(({ prov: home, cityList }) => ({
    label: prov === '' ? home : null,
    places: cityList.flatMap((name) => {
      const [first, ...others] = homes.get(name) ?? [];
      return first === home ? [{ prov: others.length > 0 ? '' : home, city: name }] : [];
    }),
  }));
  const isOffered = groups.some(({ places }) => places.some((place) => place.prov === prov && place.city === city));
  const all = groups.filter(({ places }) => places.length > 0);
  return city === '' || isOffered ? all : [{ label: null, places: [{ prov, city }] }, ...all];
}

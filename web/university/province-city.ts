interface ProvinceCity {
  prov: string;
  city: string;
}

/** Whether a city says no more than its province: 北京市 in 北京. */
export const sameAsProvince = ({ prov, city }: ProvinceCity) => city === prov || city.slice(0, -1) === prov;

/** Province and city in one line, the same word not twice. */
export const provinceAndCity = ({ prov, city }: ProvinceCity) =>
  city === '' || sameAsProvince({ prov, city }) ? prov : `${prov} ${city}`;

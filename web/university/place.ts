interface Place {
  prov: string;
  city: string;
}

/** Whether a city says no more than its province: 北京市 in 北京. */
export const sameAsProvince = ({ prov, city }: Place) => city === prov || city.slice(0, -1) === prov;

/** Province and city in one line, the same word not twice. */
export const placeOf = (place: Place) =>
  place.city === '' || sameAsProvince(place) ? place.prov : `${place.prov} ${place.city}`;

import { expect, it } from 'vitest';
import { citiesOf } from './province-city.ts';

const provinces = [
  { prov: '河北', cityList: ['石家庄市', '天津市'] },
  { prov: '天津', cityList: ['天津市'] },
  { prov: '山西', cityList: ['太原市'] },
];
const said = (view: { prov: string; city: string }) =>
  citiesOf(view, provinces).map(({ label, places }) => [label, places.map(({ prov, city }) => `${prov} ${city}`)]);
const hebei = ['河北', ['河北 石家庄市']];
const all = [hebei, ['天津', [' 天津市']], ['山西', ['山西 太原市']]];

it.each<[string, { prov: string; city: string }, unknown]>([
  ['all by province, one of two provinces once', { prov: '', city: '' }, all],
  ['that one, chosen', { prov: '', city: '天津市' }, all],
  ['those of a province, without its name', { prov: '河北', city: '' }, [[null, ['河北 石家庄市', '河北 天津市']]]],
  ['one of a province', { prov: '河北', city: '天津市' }, [[null, ['河北 石家庄市', '河北 天津市']]]],
  ['one out of the address without its province', { prov: '', city: '太原市' }, [[null, [' 太原市']], ...all]],
  [
    'one that nobody knows',
    { prov: '山西', city: 'x' },
    [
      [null, ['山西 x']],
      [null, ['山西 太原市']],
    ],
  ],
])('offers %s', (_, view, groups) => expect(said(view)).toEqual(groups));

it('offers a city out of the address before the provinces have come', () => {
  expect(citiesOf({ prov: '', city: '太原市' }, undefined)).toEqual([
    { label: null, places: [{ prov: '', city: '太原市' }] },
  ]);
});

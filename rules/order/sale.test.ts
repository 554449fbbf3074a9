import { expect, it } from 'vitest';
import { type SaleFacts, saleState } from './sale.ts';

const pack: SaleFacts = { archived: false, open: true, price: 100, seats: null, taken: 0, from: null, until: null };

it.each<[string, Partial<SaleFacts>, boolean, string]>([
  ['is on sale', {}, true, 'onSale'],
  ['costs nothing', { price: null }, true, 'free'],
  ['costs nothing where nothing can be paid', { price: null }, false, 'free'],
  ['was taken out of the offer', { archived: true, price: null }, true, 'closed'],
  ['is the school’s to give', { open: false }, true, 'closed'],
  ['cannot be paid', {}, false, 'closed'],
  ['is sold from this moment', { from: 1000 }, true, 'onSale'],
  ['is sold later', { from: 1001 }, true, 'early'],
  ['is sold until later', { until: 1001 }, true, 'onSale'],
  ['is sold no more', { until: 1000 }, true, 'over'],
  ['has one seat left', { seats: 3, taken: 2 }, true, 'onSale'],
  ['has none', { seats: 3, taken: 3 }, true, 'soldOut'],
])('a pack that %s', (_, more, payable, wanted) => {
  expect(saleState({ ...pack, ...more }, 1000, payable)).toBe(wanted);
});

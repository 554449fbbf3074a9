import { expect, test } from 'vitest';
import { numberText } from './cell-format.ts';

test.each<[string, number, number, string | undefined, string]>([
  ['general', 2, 0, undefined, '2'],
  ['general fraction', 0.1 + 0.2, 0, undefined, '0.3'],
  ['large', 123456789012, 0, undefined, '123456789012'],
  ['percent', 0.25, 9, undefined, '25%'],
  ['percent with decimals', 0.1234, 10, undefined, '12.34%'],
  ['thousands', 1234567, 3, undefined, '1,234,567'],
  ['two decimals', 1.5, 2, undefined, '1.50'],
  ['more decimals than digits', 0.5, 164, `0.${'0'.repeat(16)}`, '0.500000000000000'],
  ['more decimals than any program shows', 2, 164, `0.${'0'.repeat(200)}`, '2.000000000000000'],
  ['amount', 1234.5, 164, '"¥"#,##0.00', '¥1,234.50'],
  ['unit', 5, 164, '0"万元"', '5万元'],
  ['negative', -5, 164, '0.0_ ;[Red]\\-0.0\\ ', '-5.0'],
  ['fraction', 0.5, 12, undefined, '1/2'],
  ['mixed fraction', 1.25, 12, undefined, '1 1/4'],
  ['text format', 12, 49, '@', '12'],
  ['date', 45292, 14, undefined, '2024-1-1'],
  ['Chinese date', 45292, 31, undefined, '2024年1月1日'],
  ['own date', 45292, 164, 'yyyy/mm/dd', '2024/01/01'],
  ['own Chinese date', 45292, 164, 'yyyy"年"m"月"d"日";@', '2024年1月1日'],
  ['date and time', 45292.75, 22, undefined, '2024-1-1 18:00'],
  ['time', 0.5, 20, undefined, '12:00'],
  ['own time', 0.25, 164, 'h:mm:ss', '6:00:00'],
  ['month and day', 45293, 164, 'm"月"d"日"', '1月2日'],
])('%s', (_, value, id, code, text) => {
  expect(numberText(value, id, code, false)).toBe(text);
});

test('the calendar that begins in 1904', () => {
  expect(numberText(43830, 164, 'yyyy-mm-dd', true)).toBe('2024-01-01');
});

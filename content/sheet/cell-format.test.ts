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
  ['an improper fraction, where the format has no place for wholes', 1.5, 164, '?/?', '3/2'],
  ['a whole number under the same', 3, 164, '?/?', '3/1'],
  ['a fraction with its zero', 0.5, 164, '0 ?/2', '0 1/2'],
  ['a fraction that rounds to a whole', 1.99, 164, '# ?/?', '2'],
  ['hundredths', 0.07, 164, '0/100', '7/100'],
  ['a fraction with a unit', 1.25, 164, '"约"# ?/?"杯"', '约1 1/4杯'],
  ['no zero before the point', 0.5, 164, '#.##', '.5'],
  ['a point with nothing behind', 1, 164, '0.##', '1.'],
  ['nothing for nothing', 0, 164, '#', ''],
  ['zero of the accounting format', 0, 164, '_ * #,##0.00_ ;_ * \\-#,##0.00_ ;_ * "-"??_ ;_ @_ ', '-'],
  ['scientific with a unit', 1500, 164, '0.0E+0" 米"', '1.5E+3 米'],
  ['the year as Chinese Excel writes it', 45292, 164, 'e"年"', '2024年'],
  ['text format', 12, 49, '@', '12'],
  ['date', 45292, 14, undefined, '2024/1/1'],
  ['Chinese date', 45292, 31, undefined, '2024年1月1日'],
  ['own date', 45292, 164, 'yyyy/mm/dd', '2024/01/01'],
  ['own Chinese date', 45292, 164, 'yyyy"年"m"月"d"日";@', '2024年1月1日'],
  ['date and time', 45292.75, 22, undefined, '2024/1/1 18:00'],
  ['time', 0.5, 20, undefined, '12:00'],
  ['own time', 0.25, 164, 'h:mm:ss', '6:00:00'],
  ['leading zeros', 7, 164, '000', '007'],
  ['thousands left out', 5000, 164, '0,"千"', '5千'],
  ['millions left out, with decimals', 12_345_678, 164, '0.0,,"百万"', '12.3百万'],
  ['a percentage that arithmetic makes too small', 0.285, 9, undefined, '29%'],
  ['negative in brackets', -5, 164, '0.00;(0.00)', '(5.00)'],
  ['a negative that rounds to nothing', -0.001, 2, undefined, '0.00'],
  ['words for zero', 0, 164, '0;-0;"无"', '无'],
  ['nothing for zero', 0, 164, '0;-0;;@', ''],
  ['a condition', 95, 164, '[>=90]"优";"良"', '优'],
  ['no condition met', 80, 164, '[>=90]"优";"良"', '良'],
  ['currency of a locale', 1234.5, 164, '[$¥-804]#,##0.00', '¥1,234.50'],
  ['accounting', 1234, 37, undefined, '1,234'],
  ['scientific', 1500, 11, undefined, '1.50E+03'],
  ['scientific in steps of three', 12345, 48, undefined, '12.3E+3'],
  ['general with a unit', 5, 164, 'General"个"', '5个'],
  ['a denominator of its own', 0.25, 164, '# ?/8', '2/8'],
  ['more than a day of hours', 1.0625, 164, '[h]:mm', '25:30'],
  ['hours beyond a day, built in', 1.0625, 46, undefined, '25:30:00'],
  ['a year of two digits', 45292, 164, 'yy-mm-dd', '24-01-01'],
  ['the number of a weekday, which is a day of January 1900', 1, 164, 'aaaa', '星期日'],
  ['the same in English', 7, 164, 'ddd', 'Sat'],
  ['words before a negative number', -1, 164, '"第"General', '-第1'],
  ['a weekday', 45292, 164, '[$-804]aaaa', '星期一'],
  ['a date with its weekday', 45292, 164, 'yyyy"年"m"月"d"日" aaaa;@', '2024年1月1日 星期一'],
  ['a month by name', 45293, 164, 'mmm-dd', 'Jan-02'],
  ['halves of the day', 45293.627, 164, 'h:mm AM/PM', '3:02 PM'],
  ['halves of the day in Chinese', 45293.627, 164, '上午/下午h"时"mm"分"', '下午3时02分'],
  ['month and day', 45293, 164, 'm"月"d"日"', '1月2日'],
  ['the long date of the system', 45293, 164, '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', '2024年1月2日'],
  ['the same as newer programs write it', 45293, 164, '[$-x-sysdate]dddd, mmmm dd, yyyy', '2024年1月2日'],
  ['the time of the system', 45293.5625, 164, '[$-F400]h:mm:ss\\ AM/PM', '13:30:00'],
  ['a weekday by the letters of English', 45293, 164, '[$-804]dddd', '星期二'],
  ['a month in Chinese', 45293, 164, '[$-804]mmmm', '一月'],
  ['a short month in Chinese', 45293, 164, '[$-zh-CN]mmm', '1月'],
  ['a month in English', 45293, 164, '[$-409]mmmm\\ d\\,\\ yyyy;@', 'January 2, 2024'],
  ['a negative of the built-in thousands', -1234, 37, undefined, '-1,234'],
  ['with decimals', -1234.5, 40, undefined, '-1,234.50'],
  ['brackets in words', 5, 164, '"["0"]"', '[5]'],
  ['brackets by themselves', 5, 164, '\\[0\\]', '[5]'],
  ['a line and a star in words', 5, 164, '"a_b*c="0', 'a_b*c=5'],
  ['a quotation mark', 5, 164, '\\"0\\"', '"5"'],
  ['a number under a format of texts', 5, 164, '"题："@', '5'],
  ['a negative beside a format of texts', -5, 164, '0.0;@', '-5.0'],
  ['scientific by its decimals', 1.255, 11, undefined, '1.26E+00'],
])('%s', (_, value, id, code, text) => {
  expect(numberText(value, id, code, false)).toBe(text);
});

test('the calendar that begins in 1904', () => {
  expect(numberText(43830, 164, 'yyyy-mm-dd', true)).toBe('2024-01-01');
});

test.each([
  [-5, '[<60]"不及格";0'],
  [45292, '[$-411]mmmm'],
  [45292, '[$-804]ddd'],
  [45292, '[$-804]h:mm AM/PM'],
  [45292, '[$-404]e/m/d'],
])('%d under %s: programs or languages do not agree', (value, code) => {
  expect(numberText(value, 164, code, false)).toBeNull();
});

test.each(['[DBNum1][$-804]General', '[DBNum1]yyyy"年"m"月"', '000-0000', 'ggge"年"', '0.5', '0??', '0"/"0'])(
  '%s: nobody says what it shows',
  (code) => {
    expect(numberText(45292, 164, code, false)).toBeNull();
  },
);

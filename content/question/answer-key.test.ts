import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QuestionType } from '#rules/exam/answer.ts';
import { readJudgeAnswer, readLetters } from './answer-key.ts';

describe('judge', () => {
  test.each([
    '对',
    '正确',
    '是',
    '√',
    '✓',
    '✔️',
    'T',
    'true',
    'TRUE',
    'Ｔ',
    'Y',
    'yes',
    '真',
    ' 对 ',
    '（对）',
    '“正确”',
    '答案：对',
    '对。',
    'A',
    'a',
    '1',
    '<b>对</b>',
    '正',
    'R',
  ])('%s is right', (raw) => {
    expect(readJudgeAnswer(raw)).toEqual({ ok: true, value: 'A' });
  });
  test.each([
    '错',
    '误',
    'W',
    '错误',
    '否',
    '×',
    '✗',
    '✘',
    '❌',
    'X',
    'x',
    'Ｘ',
    'F',
    'FALSE',
    'ｆ',
    'N',
    'no',
    '假',
    '不正确',
    '不对',
    '(错)',
    '错 误',
    'B',
    '0',
  ])('%s is wrong', (raw) => {
    expect(readJudgeAnswer(raw)).toEqual({ ok: true, value: 'B' });
  });
  test.each(['', '  ', '也许', 'AB', '2', '对错', 'C', '__proto__', 'constructor'])('%s is refused', (raw) => {
    expect(readJudgeAnswer(raw).ok).toBe(false);
  });
  test('options in the other order turn the letters round, never the words', () => {
    const turned = { A: '错误', B: '正确' };
    expect(readJudgeAnswer('A', turned)).toEqual({ ok: true, value: 'B' });
    expect(readJudgeAnswer('B', turned)).toEqual({ ok: true, value: 'A' });
    expect(readJudgeAnswer('对', turned)).toEqual({ ok: true, value: 'A' });
    expect(readJudgeAnswer('A', { A: 'A. 对', B: 'B. 错' })).toEqual({ ok: true, value: 'A' });
  });
  test.each([{ A: '对' }, { A: '对', B: '对' }, { A: '甲', B: '乙' }, { A: '对', B: '错', C: '不知道' }])(
    'options %o are refused',
    (options) => {
      expect(readJudgeAnswer('A', options as Record<string, string>).ok).toBe(false);
    },
  );
});

const four = ['A', 'B', 'C', 'D'];

describe('letters', () => {
  test.each<[string, QuestionType, string]>([
    ['B', 2, 'B'],
    ['b', 2, 'B'],
    ['Ｂ', 2, 'B'],
    ['（B）', 2, 'B'],
    ['B.', 2, 'B'],
    ['答案：B', 2, 'B'],
    ['正确答案: C', 2, 'C'],
    ['选D', 2, 'D'],
    ['AB', 3, 'AB'],
    ['A,B', 3, 'AB'],
    ['A、B', 3, 'AB'],
    ['Ａ，Ｂ', 3, 'AB'],
    [' a b d ', 3, 'ABD'],
    ['A;B;D', 3, 'ABD'],
    ['A/C', 3, 'AC'],
    ['A|C', 3, 'AC'],
    ['A和C', 3, 'AC'],
    ['D C B A', 3, 'ABCD'],
    ['A-B', 3, 'AB'],
    ['A-B-D', 3, 'ABD'],
    ['A\nC', 3, 'AC'],
    ['<p>A,C</p>', 3, 'AC'],
    ['C', 5, 'C'],
    ['CA', 5, 'AC'],
  ])('%s for type %d is %s', (raw, type, letters) => {
    expect(readLetters(raw, type, four)).toEqual({ ok: true, value: letters });
  });

  test.each<[string, QuestionType, string]>([
    ['', 2, '没有写答案'],
    ['AB', 2, '只能有一个'],
    ['A', 3, '至少要有两个'],
    ['AAB', 3, '重复'],
    ['AE', 3, 'E 没有对应的选项'],
    ['1', 2, '看不懂'],
    ['13', 3, '看不懂'],
    ['对', 2, '看不懂'],
    ['甲', 2, '看不懂'],
    ['А', 2, '看不懂'],
    ['=A', 2, '看不懂'],
    ['A或B', 3, '看不懂'],
    ['A-D', 3, '看不出是“从 A 到 D”还是“A 和 D”'],
    ['a－c', 5, '看不出'],
  ])('%s for type %d is refused: %s', (raw, type, why) => {
    const read = readLetters(raw, type, four);
    expect(read.ok ? read.value : read.why).toContain(why);
  });

  test('any order, width, case and separators give the same letters', () => {
    const separators = fc.constantFrom('', ',', '，', '、', ' ', '　', ';', '；', '/', ' , ');
    const letters = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'), { minLength: 2 });
    const looks = fc.constantFrom(
      (letter: string) => letter,
      (letter: string) => letter.toLowerCase(),
      (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0),
    );
    fc.assert(
      fc.property(letters, separators, looks, (chosen, separator, look) => {
        const read = readLetters(chosen.map(look).join(separator), 3, ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
        expect(read).toEqual({ ok: true, value: [...chosen].sort().join('') });
      }),
    );
  });

  test('whatever is typed, what is read are existing letters in ascending order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom<QuestionType>(2, 3, 5), (raw, type) => {
        const read = readLetters(raw, type, four);
        if (read.ok) expect(read.value).toMatch(/^A?B?C?D?$/);
        else expect(read.why).not.toBe('');
      }),
    );
  });
});

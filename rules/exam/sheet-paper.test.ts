import { describe, expect, it } from 'vitest';
import { agreed, arrangePaper, headFaults, type SheetPaperHead, type SheetPaperRow, sumOf } from './sheet-paper.ts';

/** `一3`: section 一, order 3; `一`: without order; `3`: without section. The question is the place of the row. */
const rowsOf = (...written: string[]): SheetPaperRow[] =>
  written.map((text, at) => {
    const [, section = '', order = ''] = /^(\D*)(\d*)$/.exec(text) ?? [];
    return { question: `q${at}`, section, order: order === '' ? null : Number(order), score: 1 };
  });
const shown = (...written: string[]) =>
  arrangePaper(rowsOf(...written))
    .sections.map(({ title, rows }) => `${title}:${rows.join(',')}`)
    .join(' ');
const faultsOf = (...written: string[]) =>
  arrangePaper(rowsOf(...written)).faults.map(({ why, row, other }) => `${why} ${row} ${other}`);

describe('the order of a paper', () => {
  it.each([
    ['no order: as in the file', ['一', '一', '二'], '一:0,1 二:2'],
    ['no sections', ['', '', ''], ':0,1,2'],
    ['numbers of the whole paper', ['二3', '一2', '一1'], '一:2,1 二:0'],
    ['numbers that begin anew in each section', ['一2', '一1', '二1', '二2'], '一:1,0 二:2,3'],
    ['and bring a section together', ['一1', '二1', '一2'], '一:0,2 二:1'],
    ['sections of one question each', ['一1', '二1'], '一:0 二:1'],
    ['nothing', [], ''],
  ])('%s', (_, rows, expected) => {
    expect(shown(...rows)).toBe(expected);
    expect(faultsOf(...rows)).toEqual([]);
  });

  it.each([
    ['a section that goes on after another', ['一', '二', '一'], ['sectionAgain 2 1']],
    ['numbers that mix two sections', ['一1', '二2', '一3'], ['sectionAgain 2 1']],
    ['a number twice in a section', ['一1', '一1', '二1'], ['orderTwice 1 0']],
    ['a number twice without sections', ['2', '1', '2'], ['orderTwice 2 0']],
    ['a row without order', ['一1', '一', '一3'], ['orderMissing 1 0']],
    ['a row without section', ['一', ''], ['sectionMissing 1 0']],
  ])('refuses %s', (_, rows, expected) => expect(faultsOf(...rows)).toEqual(expected));

  it('refuses a question that comes twice', () => {
    const [first, second] = rowsOf('一', '一');
    if (!first || !second) throw new Error('no rows');
    const { faults } = arrangePaper([first, { ...second, question: first.question }]);
    expect(faults).toEqual([{ why: 'questionTwice', row: 1, other: 0 }]);
  });

  it('names the numbers that are left out', () => {
    expect(arrangePaper(rowsOf('1', '2', '5')).skipped).toEqual([3, 4]);
    expect(arrangePaper(rowsOf('一1', '一3', '二1', '二2')).skipped).toEqual([2]);
    expect(arrangePaper(rowsOf('9999')).skipped).toHaveLength(5);
    expect(arrangePaper(rowsOf('', '')).skipped).toEqual([]);
  });

  it('has every row once, whatever the file says', () => {
    for (const rows of [
      ['一1', '二1', '一1', '三'],
      ['', '一', '2', '二2'],
      ['一', '二', '一', '二'],
    ]) {
      const { sections } = arrangePaper(rowsOf(...rows));
      expect(sections.flatMap(({ rows: own }) => own).sort()).toEqual([...rows.keys()]);
    }
  });
});

describe('what a paper says of itself', () => {
  const head: SheetPaperHead = { kind: 'mock', minutes: 60, year: null, total: null, passScore: null };
  it.each<[string, Partial<SheetPaperHead>, object[]]>([
    ['a mock exam', {}, []],
    ['its total', { total: 10 }, []],
    ['too few points', { total: 12 }, [{ why: 'total', difference: -2 }]],
    ['too many points', { total: 9.5 }, [{ why: 'total', difference: 0.5 }]],
    ['no kind', { kind: null }, [{ why: 'kindMissing' }]],
    ['no kind, and a year', { kind: null, year: 2024 }, [{ why: 'kindMissing' }]],
    ['no minutes', { minutes: null }, [{ why: 'minutesMissing' }]],
    ['a past exam', { kind: 'past', year: 2024 }, []],
    ['a past exam of no year', { kind: 'past' }, [{ why: 'yearMissing' }]],
    ['a mock exam of a year', { year: 2024 }, [{ why: 'yearUnneeded' }]],
    ['all points to pass', { passScore: 10 }, []],
    ['more than all points to pass', { passScore: 10.5 }, [{ why: 'passAbove' }]],
  ])('%s', (_, more, expected) => expect(headFaults({ ...head, ...more }, 10)).toEqual(expected));

  it('adds points exactly', () => {
    expect(sumOf([{ score: 0.5 }, { score: 1 }, { score: 0.5 }])).toBe(2);
    expect(sumOf([])).toBe(0);
  });

  it('is what its rows agree on', () => {
    expect(agreed([null, 60, null, 60])).toEqual({ value: 60, row: 1, others: [] });
    expect(agreed([60, 90, null, 60, 90])).toEqual({ value: 60, row: 0, others: [1, 4] });
    expect(agreed<number>([null, null])).toEqual({ value: null, row: 0, others: [] });
    expect(agreed<number>([])).toEqual({ value: null, row: 0, others: [] });
  });
});

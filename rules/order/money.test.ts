import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fenFrom, hundredthsOf, yuanOf } from './money.ts';

describe('money', () => {
  it('survives yuan as text and back, every fen from 0 to 100,000 (dedemao/weixinPay#26)', () => {
    for (let fen = 0; fen <= 100_000; fen += 1) expect(fenFrom(yuanOf(fen))).toBe(fen);
  });

  it.each([
    ['199', 19_900],
    ['199.9', 19_990],
    ['19.90', 1990],
    ['0.01', 1],
    ['10000000.00', 1_000_000_000],
    ['10000000.01', null],
    ['-1', null],
    ['1e3', null],
    ['1.234', null],
    ['1,000', null],
    ['１', null],
    ['', null],
    ['NaN', null],
    [' 1', null],
    ['.5', null],
  ])('reads %s as %s', (text, fen) => {
    expect(fenFrom(text)).toBe(fen);
  });

  it('shares are whole fen, never more than the sum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), fc.integer({ min: 0, max: 100 }), (fen, share) => {
        const part = hundredthsOf(fen, share);
        expect(Number.isSafeInteger(part)).toBe(true);
        expect(part * 100).toBeLessThanOrEqual(fen * share);
        expect((part + 1) * 100).toBeGreaterThan(fen * share);
      }),
    );
  });

  it('is nowhere a float: no code of orders parses or rounds one', () => {
    const root = join(import.meta.dirname, '../..');
    const files = globSync('{rules,server,contract,web}/order/**/*.{ts,tsx}', { cwd: root }).filter(
      (file) => !file.includes('.test') && file !== 'rules/order/money.ts',
    );
    expect(files.length).toBeGreaterThan(5);
    const float = /parseFloat|toFixed|Math\.round|[*/] ?100(?!\d)/;
    expect(files.filter((file) => float.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { monogramOf, monogramSvg } from './monogram.ts';

describe('monogram', () => {
  it.each([
    ['北京大学', ['PKU', '北大'], '北大'],
    ['北京交通大学', ['北交大', '北京交大'], '北交'],
    ['中国海洋大学', [], '海洋'],
    ['中国地质大学（武汉）', [], '地质'],
    ['Example University', [], 'E'],
    ['（）', [], '（'],
    ['', [], '校'],
  ])('of %s with %j', (name, aliases, letters) => {
    expect(monogramOf(name, aliases)).toBe(letters);
  });
  it('is the same for the same name and holds no markup of it', () => {
    expect(monogramSvg('<script>', ['&"'])).toBe(monogramSvg('<script>', ['&"']));
    expect(monogramSvg('<script>alert(1)</script>', [])).not.toContain('script');
    expect(monogramSvg('北京大学', ['北大'])).toContain('&#21271;');
    expect(monogramSvg('北京大学', [])).not.toBe(monogramSvg('东南大学', []));
  });
});

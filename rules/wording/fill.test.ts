import { describe, expect, it } from 'vitest';
import { fill } from './fill.ts';

describe('fill', () => {
  it('fills names in, and leaves those it does not know', () => {
    expect(fill('还有 {days} 天，{days} 天，{x}', { days: 3 })).toBe('还有 3 天，3 天，{x}');
  });

  it('writes a work within a work with single marks', () => {
    expect(fill('《{name}》和{name}', { name: '《实务》模拟卷' })).toBe('《〈实务〉模拟卷》和《实务》模拟卷');
    expect(fill('《{x}》', {})).toBe('《{x}》');
  });

  it('takes what somebody wrote as it is: nothing in a value is a name', () => {
    const values = { title: '{total}、{constructor}《{title}》', total: '9' };
    expect(fill('《{title}》{total}', values)).toBe('《{total}、{constructor}〈{title}〉》9');
    expect(fill('{title}{constructor}', values)).toBe('{total}、{constructor}《{title}》{constructor}');
  });

  it('tells one from many', () => {
    const words = '{n} {n|question|questions}, {m|is|are}';
    expect(fill(words, { n: 1, m: '1' })).toBe('1 question, is');
    expect(fill(words, { n: 0, m: '1.2K' })).toBe('0 questions, are');
    expect(fill(words, { n: 21 })).toBe('21 questions, {m|is|are}');
  });

  it.each([
    ['1', '1st'],
    ['2', '2nd'],
    ['3', '3rd'],
    ['4', '4th'],
    ['11', '11th'],
    ['12', '12th'],
    ['21', '21st'],
    ['112', '112th'],
    ['1,003', '1,003rd'],
    ['1.2K', '1.2Kth'],
  ])('says which of many %s is', (rank, words) => {
    expect(fill('{rank:th} of {count}', { rank, count: 9 })).toBe(`${words} of 9`);
    expect(fill('{rank:th}', {})).toBe('{rank:th}');
  });
});

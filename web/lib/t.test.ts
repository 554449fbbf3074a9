import { afterEach, describe, expect, it } from 'vitest';
import { refusals } from '#contract/envelope.ts';
import english from '../locale/en.json';
import { currentLanguage, fill, setLanguage, t, tIn } from './t.ts';

afterEach(() => setLanguage('zh-CN'));

describe('t', () => {
  it('says the text itself in Chinese and the translation in English', async () => {
    expect(t('首页')).toBe('首页');
    await setLanguage('en');
    expect([currentLanguage(), t('首页')]).toEqual(['en', 'Home']);
  });

  it('says a text with two translations by its context', async () => {
    expect([t('全部'), tIn('level', '全部')]).toEqual(['全部', '全部']);
    await setLanguage('en');
    expect([t('全部'), tIn('level', '全部')]).toEqual(['All', 'all']);
  });

  it('leaves a text without a translation as it is', async () => {
    await setLanguage('en');
    expect(t('一句没有翻译的话')).toBe('一句没有翻译的话');
  });

  it('fills names in, and leaves those it does not know', () => {
    expect(fill('还有 {days} 天，{days} 天，{x}', { days: 3 })).toBe('还有 3 天，3 天，{x}');
  });

  it('tells one from many', () => {
    const words = '{n} {n|question|questions}, {m|is|are}';
    expect(fill(words, { n: 1, m: '1' })).toBe('1 question, is');
    expect(fill(words, { n: 0, m: '1.2K' })).toBe('0 questions, are');
    expect(fill(words, { n: 21 })).toBe('21 questions, {m|is|are}');
  });

  it.each(Object.values(refusals).map((refusal) => refusal.msg))('knows the English of “%s”', (msg) => {
    expect(Object.keys(english)).toContain(msg);
  });

  it('has the same names in a text and in its translation', () => {
    const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
    for (const [chinese, entry] of Object.entries<string | Record<string, string>>(english))
      for (const words of typeof entry === 'string' ? [entry] : Object.values(entry))
        expect(names(words), chinese).toEqual(names(chinese));
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { refusals } from '#contract/envelope.ts';
import english from '../locale/en.json';
import { currentLanguage, setLanguage, t, tIn } from './t.ts';

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

  it.each([
    [t, '文档', 'Documents'],
    [t, '重新下载', 're-download'],
    [(text: string) => tIn('files', text), '图片', 'Images'],
    [(text: string) => tIn('files', text), '下载', 'download'],
  ] as const)(
    'says in English what the product spec prints in it (decisions §1): %#',
    async (say, chinese, printed) => {
      expect(say(chinese)).toBe(chinese);
      await setLanguage('en');
      expect(say(chinese)).toBe(printed);
    },
  );

  it('leaves a text without a translation as it is', async () => {
    await setLanguage('en');
    expect(t('一句没有翻译的话')).toBe('一句没有翻译的话');
  });

  it.each(Object.values(refusals).map((refusal) => refusal.msg))('knows the English of “%s”', (msg) => {
    expect(Object.keys(english)).toContain(msg);
  });

  it('has the same names in a text and in its translation', () => {
    const names = (text: string) => [...text.matchAll(/\{(\w+)(?::th)?\}/g)].map((match) => match[1]).sort();
    for (const [chinese, entry] of Object.entries<string | Record<string, string>>(english))
      for (const words of typeof entry === 'string' ? [entry] : Object.values(entry))
        expect(names(words), chinese).toEqual(names(chinese));
  });
});

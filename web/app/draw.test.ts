import { afterEach, describe, expect, it } from 'vitest';
import { NO_SITE } from '#contract/site.ts';
import { setLanguage } from '#web/lib/t.ts';
import { drawing } from './draw.tsx';

// Drawing leaves the language of what it drew behind, and other files run in this process.
afterEach(() => setLanguage('zh-CN'));

const hostile = '</script><img src=x onerror=alert(1)>"\'&';
const pack = {
  ...{
    packId: 7,
    packageName: hostile,
    summary: hostile,
    categoryName: '',
    buyState: 0,
    price: 9900,
    originalPrice: null,
  },
  ...{ questionCount: 3, lessonCount: 0, examCount: 1, doneCount: 0, examDate: null },
};
const data: Readonly<Record<string, unknown>> = {
  'GET /api/user/info': { demo: false, now: 1, user: null },
  'GET /api/common/newest': { list: [pack] },
};
const home = { path: '/', language: 'zh-CN', theme: 'auto', site: { ...NO_SITE, contact: hostile }, now: 1 } as const;
const answers = (drawing.asks('/') ?? []).map((asked) => ({ ...asked, data: data[asked.name] ?? { list: [] } }));

describe('what is drawn without a browser', () => {
  it('is home as a visitor sees it, and nothing in it ends an element', () => {
    const { html, title } = drawing.draw({ ...home, answers });
    expect(html).toContain('磨砺以须');
    expect(html).toContain('href="/login"');
    expect(html).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toContain('<img src=x');
    expect(html).not.toContain('</script');
    expect(title).toBe('砺学');
  });

  it('is each page in the language asked for, whatever was drawn before', () => {
    const english = drawing.draw({ ...home, language: 'en', answers }).html;
    expect(english).toContain('Sign in and start');
    expect(english).not.toContain('磨砺以须');
    expect(drawing.draw({ ...home, answers }).html).toContain('磨砺以须');
  });

  it.each(['/', '/courses', '/course/7', '/personCenter/orders', '/teach/qa'])(
    'is the frame alone of %s, which says nothing of anybody',
    (path) => {
      expect(drawing.frameOf(path)).toBe('site');
      const { html, title } = drawing.draw({ ...home, path, answers: null });
      expect(html).toContain('aria-label="主导航"');
      expect(html).toContain('aria-busy="true"');
      expect(html).not.toContain('磨砺以须</span>');
      expect(html).not.toContain('href="/login');
      expect(title).toBeNull();
    },
  );

  it.each(['zh-CN', 'en'] as const)(
    'is the screen of an exam in %s, the same for every paper and person',
    (language) => {
      expect([drawing.frameOf('/exam/3'), drawing.asks('/exam/3')]).toEqual(['screen', null]);
      const draw = (path: string) => drawing.draw({ ...home, language, path, answers: null });
      const { html, title } = draw('/exam/3');
      expect(html).toContain(language === 'en' ? 'Opening' : '正在打开试卷');
      expect(html).toContain('aria-busy="true"');
      expect(html).not.toContain('aria-label="主导航"');
      expect(draw('/exam/77').html).toBe(html);
      expect(title).toBeNull();
      for (const path of ['/exam/3', '/course/play/3']) expect(drawing.scripts).toContain(drawing.askAhead(path));
      expect(drawing.askAhead('/course/play/3')).not.toBe(drawing.askAhead('/exam/3'));
      expect(drawing.askAhead('/')).toBeNull();
    },
  );

  it.each(['/exam/review/3', '/no/such'])('leaves %s alone', (path) => {
    expect(drawing.frameOf(path)).toBeNull();
    expect(drawing.asks(path)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { NO_SITE } from '#contract/site.ts';
import { drawing } from './draw.tsx';

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
      expect(drawing.isFramed(path)).toBe(true);
      const { html, title } = drawing.draw({ ...home, path, answers: null });
      expect(html).toContain('aria-label="主导航"');
      expect(html).toContain('aria-busy="true"');
      expect(html).not.toContain('磨砺以须</span>');
      expect(html).not.toContain('href="/login');
      expect(title).toBeNull();
    },
  );

  it.each(['/exam/3', '/exam/review/3', '/no/such'])('leaves %s alone', (path) => {
    expect(drawing.isFramed(path)).toBe(false);
    expect(drawing.asks(path)).toBeNull();
  });
});

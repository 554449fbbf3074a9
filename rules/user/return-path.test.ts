import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { returnPath } from './return-path.ts';

const site = 'https://school.example';

describe('the page to return to after signing in', () => {
  it.each([
    '/',
    '/courses',
    '/exam/7?q=12#top',
    '/universities?id=3#education',
    '/universities#education',
    '/#education',
    '/universities?id=3#https://elsewhere.example//x',
    '/universities?id=3#',
    '/courses?name=%23',
    '/startExam/chaptExam?packId=1&courseId=2&questionTypesId=0',
    '/personCenter/personCenter/courserCenter/buyCourse',
    '/courses?name=高等数学',
    '/courses?from=https://elsewhere.example/a//b',
    '/apple',
    '/loginHelp',
  ])('is %s', (ref) => {
    expect(returnPath(ref)).toBe(ref);
  });

  it.each([
    ['nothing', null],
    ['nothing at all', undefined],
    ['an empty text', ''],
    ['another site', 'https://evil.example/'],
    ['another site without a scheme', '//evil.example'],
    ['three slashes', '///evil.example'],
    ['a backslash for the second slash', '/\\evil.example'],
    ['backslashes only', '\\\\evil.example'],
    ['a backslash further on', '/a\\..\\evil'],
    ['a tab between the slashes', '/\t/evil.example'],
    ['a line break between the slashes', '/\n/evil.example'],
    ['a leading space', ' //evil.example'],
    ['dot segments before two slashes', '/.//evil.example'],
    ['dot segments that climb', '/a/..//evil.example'],
    ['an encoded dot segment', '/%2e%2E/api/user/logout'],
    ['an address that is still encoded', '%2F%2Fevil.example'],
    ['an encoded second slash', '/%2Fevil.example'],
    ['an encoded backslash', '/%5cevil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a script in capitals', 'JavaScript:alert(1)'],
    ['data', 'data:text/html,<script>alert(1)</script>'],
    ['a relative path', 'courses'],
    ['a query only', '?ref=/'],
    ['another site behind an anchor of ours', '//evil.example#/courses'],
    ['another site with an anchor', 'https://evil.example/#education'],
    ['a script with an anchor', 'javascript:alert(1)#/courses'],
    ['a backslash before the anchor', '/\\evil.example#education'],
    ['a backslash in the anchor', '/courses#\\evil.example'],
    ['a line break in the anchor', '/courses#a\n//evil.example'],
    ['an anchor only', '#education'],
    ['dot segments before an anchor', '/.//evil.example#education'],
    ['an encoded slash before the anchor', '/%2fevil.example#education'],
    ['a call with an anchor', '/api#education'],
    ['the sign-in page with an anchor', '/login#education'],
    ['the sign-in page', '/login'],
    ['the sign-in page with its own return', '/login?ref=%2Flogin'],
    ['a call', '/api/user/logout'],
    ['a call of the app', '/app'],
    ['a file', '/files/x.pdf'],
    ['too long an address', `/${'a'.repeat(2001)}`],
  ])('is the home page for %s', (_name, ref) => {
    expect(returnPath(ref)).toBe('/');
  });

  it('is on this site, whatever is asked for', () => {
    const nasty = fc.array(
      fc.constantFrom('/', '\\', '.', '..', '%2f', '\t', '\n', ':', '@', 'evil.example', 'javascript', '?', '#'),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          nasty.map((parts) => `/${parts.join('')}`),
        ),
        (ref) => {
          const url = new URL(returnPath(ref), site);
          expect(url.origin).toBe(site);
          expect(url.pathname.startsWith('//')).toBe(false);
        },
      ),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { pageAt } from './page-addresses.ts';

describe('a page', () => {
  it.each([
    '/',
    '/courses',
    '/Courses/',
    '/course/3',
    '/course/abc',
    '/exam/7',
    '/exam/result/9',
    '/exam/review/9/',
    '/startExam/chaptExam',
    '/personCenter',
    '/personCenter/personCenter/courserCenter/buyCourse',
    '/universities',
  ])('stands at %s', (path) => {
    expect(pageAt(path)).not.toBeNull();
  });
  it.each([
    '//',
    '/course',
    '/course/3/4',
    '/courses/3',
    '/exam/result/9/x',
    '/courses.html',
    '/index.html',
    '/livePage',
    '/livePage/other.html',
    '/agreeContent',
    '/api/user/info',
    '/app',
    '/dev/gallery',
    '/personCenter/personCenter',
    '/universities#x',
  ])('does not stand at %s', (path) => {
    expect(pageAt(path)).toBeNull();
  });
});

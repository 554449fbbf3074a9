import { describe, expect, it } from 'vitest';
import { idFrom, paths, treeType } from './paths.ts';

describe('paths', () => {
  it('are what other pages, bookmarks and the spec know', () => {
    expect([
      paths.home(),
      paths.courses(),
      paths.course(3),
      paths.login(),
      paths.login('/'),
      paths.login('/exam/7?q=2&x=题'),
      paths.login('/universities?id=3#education'),
      paths.me(),
      paths.settings(),
      paths.myCourses(),
      paths.examCenter(),
      paths.examCenter({ packId: 3, kind: 'past', year: 2024 }),
      paths.chapterExam({ packId: 3, courseId: 4, type: 1 }),
      paths.chapterExam({ packId: 3, type: 1 }),
      paths.chapterExam({ packId: 3, courseId: 4, type: 2 }),
      paths.exam(7),
      paths.examResult(9),
      paths.examReview(9),
      paths.examReview(9, { only: 'wrong', q: 12 }),
      paths.myExams(),
      paths.myExams({ state: 'open', packId: 3 }),
    ]).toMatchInlineSnapshot(`
      [
        "/",
        "/courses",
        "/course/3",
        "/login",
        "/login",
        "/login?ref=%2Fexam%2F7%3Fq%3D2%26x%3D%E9%A2%98",
        "/login?ref=%2Funiversities%3Fid%3D3%23education",
        "/personCenter",
        "/settings",
        "/personCenter/personCenter/courserCenter/buyCourse",
        "/examCenter",
        "/examCenter?packId=3&kind=past&year=2024",
        "/startExam/chaptExam?packId=3&courseId=4&questionTypesId=0",
        "/startExam/chaptExam?packId=3&questionTypesId=0",
        "/startExam/chaptExam?packId=3&courseId=4",
        "/exam/7",
        "/exam/result/9",
        "/exam/review/9",
        "/exam/review/9?only=wrong&q=12",
        "/myExams",
        "/myExams?state=open&packId=3",
      ]
    `);
  });

  it.each([
    ['packId=1&questionTypesId=0', 1],
    ['packId=1&courseId=2', 2],
  ])('read the tree type of %s', (search, type) => {
    expect(treeType(new URLSearchParams(search))).toBe(type);
  });

  it.each([
    ['12', 12],
    ['0', null],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    ['99999999999999999999', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('take %s as id %s', (text, id) => {
    expect(idFrom(text)).toBe(id);
  });
});

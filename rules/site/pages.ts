/** The address of every page of the web app: those of the product spec §2 as it prints them; `:name` stands for one part. */
export const PAGES = {
  home: '/',
  courses: '/courses',
  course: '/course/:packId',
  login: '/login',
  me: '/personCenter',
  settings: '/settings',
  myCourses: '/personCenter/personCenter/courserCenter/buyCourse',
  examCenter: '/examCenter',
  chapterExam: '/startExam/chaptExam',
  exam: '/exam/:examId',
  examResult: '/exam/result/:recordId',
  examReview: '/exam/review/:recordId',
  myExams: '/myExams',
  universities: '/universities',
} as const;

const shapes = Object.values(PAGES).map(
  (pattern) => new RegExp(`^${pattern.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?$`, 'i'),
);

/**
 * Whether a path belongs to a page, read as the web app's router reads it: capitals and a slash at the end do not count.
 * Whether there is something to show under its id is for the page to find out.
 * @param path without query and anchor
 */
export function isPage(path: string): boolean {
  return shapes.some((shape) => shape.test(path));
}

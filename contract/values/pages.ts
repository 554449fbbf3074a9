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
  wrongQuestions: '/wrongQuestions',
  wrongPrint: '/wrongQuestions/print',
  universities: '/universities',
} as const;

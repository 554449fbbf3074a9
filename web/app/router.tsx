import { type ReactNode, Suspense, useEffect } from 'react';
import { Route, Routes } from 'react-router';
import { patterns } from '#web/lib/paths.ts';
import { useLanguage } from '#web/lib/t.ts';
import { BlankPage } from './BlankPage.tsx';
import { type LatePage, type Load, latePage } from './late-pages.ts';
import { NotFound } from './NotFound.tsx';
import { SignedIn } from './SignedIn.tsx';

/*
 * The declarative router: data comes through useCall in the pages, so the data router's loaders (15 KB brotli more on
 * the exam screen) would do nothing. Its useBlocker is therefore not there; work is never lost by leaving a page.
 * Every page is a module of its own in web/pages with a default export, loaded when it is first shown.
 */
interface ShownProps {
  page: LatePage;
  signedIn: boolean;
}

/** A page, drawn anew when the language changes: pages call `t` while they render. */
function Shown({ page, signedIn }: ShownProps) {
  useLanguage();
  const { load, Page } = page;
  // The code comes while the server is asked who is there, not after it; a failure shows when the page is drawn.
  useEffect(() => {
    if (signedIn) void load().catch(() => undefined);
  }, [load, signedIn]);
  return signedIn ? (
    <SignedIn>
      <Page />
    </SignedIn>
  ) : (
    <Page />
  );
}

/** A page that is loaded when it is first shown; with `forStudents` a visitor signs in first. */
function page(load: Load, { signedIn = false }: { signedIn?: boolean } = {}): ReactNode {
  return <Shown page={latePage(load)} signedIn={signedIn} />;
}

const forStudents = { signedIn: true };
const shell = page(() => import('./Shell.tsx'));
const home = page(() => import('#web/pages/HomePage.tsx'));
const courses = page(() => import('#web/pages/CoursesPage.tsx'));
const course = page(() => import('#web/pages/CoursePage.tsx'));
const login = page(() => import('#web/pages/LoginPage.tsx'));
const me = page(() => import('#web/pages/MePage.tsx'), forStudents);
const settings = page(() => import('#web/pages/SettingsPage.tsx'), forStudents);
const myCourses = page(() => import('#web/pages/MyCoursesPage.tsx'), forStudents);
const examCenter = page(() => import('#web/pages/ExamCenterPage.tsx'), forStudents);
const chapterExam = page(() => import('#web/pages/ChapterExamPage.tsx'), forStudents);
const exam = page(() => import('#web/pages/ExamPage.tsx'), forStudents);
const examResult = page(() => import('#web/pages/ExamResultPage.tsx'), forStudents);
const examReview = page(() => import('#web/pages/ExamReviewPage.tsx'), forStudents);
const myExams = page(() => import('#web/pages/MyExamsPage.tsx'), forStudents);
const universities = page(() => import('#web/pages/UniversitiesPage.tsx'));
const gallery = import.meta.env.DEV ? page(() => import('#web/pages/GalleryPage.tsx')) : null;

/** Which page an address shows. Only the question screens stand without the site's header. */
export function Router() {
  return (
    <Suspense fallback={<BlankPage />}>
      <Routes>
        <Route path={patterns.exam} element={exam} />
        <Route path={patterns.examReview} element={examReview} />
        <Route element={shell}>
          <Route path={patterns.home} element={home} />
          <Route path={patterns.courses} element={courses} />
          <Route path={patterns.course} element={course} />
          <Route path={patterns.login} element={login} />
          <Route path={patterns.me} element={me} />
          <Route path={patterns.settings} element={settings} />
          <Route path={patterns.myCourses} element={myCourses} />
          <Route path={patterns.examCenter} element={examCenter} />
          <Route path={patterns.chapterExam} element={chapterExam} />
          <Route path={patterns.examResult} element={examResult} />
          <Route path={patterns.myExams} element={myExams} />
          <Route path={patterns.universities} element={universities} />
          {gallery !== null && <Route path={patterns.gallery} element={gallery} />}
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
    </Suspense>
  );
}

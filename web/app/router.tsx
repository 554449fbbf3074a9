import { type ComponentType, type ReactNode, Suspense, useEffect } from 'react';
import { matchPath, Route, Routes, useLocation } from 'react-router';
import type { Frame as Around } from '#contract/drawing.ts';
import { ExamBones } from '#web/exam/screen/ExamBones.tsx';
import { endFirstDrawing } from '#web/lib/first-drawing.ts';
import { patterns } from '#web/lib/paths.ts';
import { useLanguage } from '#web/lib/t.ts';
import { whenIdle } from '#web/lib/when-idle.ts';
import { BlankPage } from './BlankPage.tsx';
import { useBareFrame } from './bare-frame.ts';
import { type LatePage, type Load, latePage } from './late-pages.ts';
import { NotFound } from './NotFound.tsx';
import { SignedIn } from './SignedIn.tsx';
import { SpareHeading } from './SpareHeading.tsx';

/*
 * The declarative router: data comes through useCall in the pages, so the data router's loaders (15 KB brotli more on
 * the exam screen) would do nothing. Its useBlocker is therefore not there; work is never lost by leaving a page.
 * Every page is a module of its own in web/pages with a default export, loaded when it is first shown.
 */
interface ShownProps {
  page: LatePage;
  signedIn: boolean;
  /** What stands in its place until it is there. */
  Bones?: ComponentType | undefined;
}

/** A page, drawn anew when the language changes: pages call `t` while they render. */
function Shown({ page: { Page }, signedIn, Bones }: ShownProps) {
  useLanguage();
  const bare = useBareFrame();
  useEffect(endFirstDrawing, []);
  const bones = Bones && <Bones />;
  if (bare) return bones ?? <BlankPage />;
  const shown = signedIn ? (
    <SignedIn skeleton={bones}>
      <Page />
    </SignedIn>
  ) : (
    <Page />
  );
  return (
    <>
      <SpareHeading />
      {bones ? <Suspense fallback={bones}>{shown}</Suspense> : shown}
    </>
  );
}

/** What stands around pages. */
function Frame({ page: { Page } }: Pick<ShownProps, 'page'>) {
  useLanguage();
  return <Page />;
}

interface Place {
  path: string;
  load: Load;
  element: ReactNode;
  /** Addresses of the pages that this one leads to, whose code has to be there before it is needed. */
  leadsTo: readonly string[];
  /** The server draws this page's bones, which are a screen of their own. */
  isDrawn: boolean;
}

/** A page that is loaded when it is first shown; with `signedIn` (`forStudents`) a visitor signs in first. */
function page(
  path: string,
  load: Load,
  { signedIn = false, leadsTo = [], Bones }: Partial<Omit<ShownProps, 'page'> & Pick<Place, 'leadsTo'>> = {},
): Place {
  const late = latePage(load);
  const element = <Shown page={late} signedIn={signedIn} Bones={Bones} />;
  return { path, load: late.load, element, leadsTo, isDrawn: Bones !== undefined };
}

const forStudents = { signedIn: true };
const shell = latePage(() => import('./Shell.tsx'));
const loadShell = shell.load;
const questionScreens: readonly Place[] = [
  // A hand-in, and the end of the time, happen without a network too.
  page(patterns.exam, () => import('#web/pages/ExamPage.tsx'), {
    signedIn: true,
    Bones: ExamBones,
    leadsTo: [patterns.examResult, patterns.examCenter],
  }),
  page(patterns.examReview, () => import('#web/pages/ExamReviewPage.tsx'), forStudents),
  page(patterns.wrongPrint, () => import('#web/pages/WrongPrintPage.tsx'), forStudents),
  page(patterns.paperPrint, () => import('#web/pages/PaperPrintPage.tsx'), forStudents),
];
const inShell: readonly Place[] = [
  page(patterns.home, () => import('#web/pages/HomePage.tsx')),
  page(patterns.courses, () => import('#web/pages/CoursesPage.tsx')),
  page(patterns.course, () => import('#web/pages/CoursePage.tsx')),
  page(patterns.play, () => import('#web/pages/PlayPage.tsx')),
  page(patterns.orderConfirm, () => import('#web/pages/OrderConfirmPage.tsx'), forStudents),
  page(patterns.order, () => import('#web/pages/OrderPage.tsx'), forStudents),
  page(patterns.networkCheck, () => import('#web/pages/NetworkCheckPage.tsx')),
  page(patterns.login, () => import('#web/pages/LoginPage.tsx')),
  page(patterns.examCenter, () => import('#web/pages/ExamCenterPage.tsx'), forStudents),
  page(patterns.randomPaper, () => import('#web/pages/RandomPaperPage.tsx'), forStudents),
  page(patterns.chapterExam, () => import('#web/pages/ChapterExamPage.tsx'), forStudents),
  page(patterns.examResult, () => import('#web/pages/ExamResultPage.tsx'), forStudents),
  page(patterns.wrongQuestions, () => import('#web/pages/WrongQuestionsPage.tsx'), forStudents),
  page(patterns.statistics, () => import('#web/pages/StatisticsPage.tsx'), forStudents),
  page(patterns.lives, () => import('#web/pages/LivesPage.tsx')),
  page(patterns.livePage, () => import('#web/pages/LivePage.tsx'), forStudents),
  page(patterns.playBack, () => import('#web/pages/LivePage.tsx'), forStudents),
  page(patterns.qa, () => import('#web/pages/QaPage.tsx'), forStudents),
  page(patterns.qaRules, () => import('#web/pages/QaRulesPage.tsx')),
  page(patterns.agreement, () => import('#web/pages/AgreementPage.tsx')),
  page(patterns.universities, () => import('#web/pages/UniversitiesPage.tsx')),
  ...(import.meta.env.DEV ? [page(patterns.gallery, () => import('#web/pages/GalleryPage.tsx'))] : []),
];

const teachFrame = latePage(() => import('#web/teach/TeachFrame.tsx'));
/** Pages of teachers: the frame lets nobody else in. A new one stands in web/teach/teach-places.ts too. */
const inTeachFrame: readonly Place[] = [
  page(patterns.teach, () => import('#web/pages/TeachHomePage.tsx')),
  page(patterns.teachFeedback, () => import('#web/pages/TeachFeedbackPage.tsx')),
  page(patterns.teachSitting, () => import('#web/pages/TeachSittingPage.tsx')),
  page(patterns.teachQuestions, () => import('#web/pages/TeachQuestionsPage.tsx')),
  page(patterns.teachComments, () => import('#web/pages/TeachCommentsPage.tsx')),
  page(patterns.teachQa, () => import('#web/pages/TeachQaPage.tsx')),
  page(patterns.teachNotices, () => import('#web/pages/TeachNoticesPage.tsx')),
  page(patterns.teachMedia, () => import('#web/pages/TeachMediaPage.tsx')),
  page(patterns.teachLive, () => import('#web/pages/TeachLivePage.tsx')),
  page(patterns.teachOrders, () => import('#web/pages/TeachOrdersPage.tsx')),
];

const personFrame = latePage(() => import('#web/pages/PersonCenterFrame.tsx'));
/** A person's own pages. A new one stands in web/pages/person-places.ts too. */
const inPersonFrame: readonly Place[] = [
  page(patterns.me, () => import('#web/pages/MePage.tsx')),
  page(patterns.myCourses, () => import('#web/pages/MyCoursesPage.tsx')),
  page(patterns.myOrders, () => import('#web/pages/MyOrdersPage.tsx')),
  page(patterns.myCoupons, () => import('#web/pages/MyCouponsPage.tsx')),
  page(patterns.myExams, () => import('#web/pages/MyExamsPage.tsx')),
  page(patterns.myQuestions, () => import('#web/pages/MyQuestionsPage.tsx')),
  page(patterns.myFiles, () => import('#web/pages/MyFilesPage.tsx')),
  page(patterns.myCredits, () => import('#web/pages/MyCreditsPage.tsx')),
  page(patterns.myFeedback, () => import('#web/pages/MyFeedbackPage.tsx')),
  page(patterns.notices, () => import('#web/pages/NoticesPage.tsx')),
  page(patterns.settings, () => import('#web/pages/SettingsPage.tsx')),
  page(patterns.realName, () => import('#web/pages/RealNamePage.tsx')),
  page(patterns.devices, () => import('#web/pages/DevicesPage.tsx')),
  page(patterns.myData, () => import('#web/pages/MyDataPage.tsx')),
];
const frames = [
  { load: teachFrame.load, places: inTeachFrame },
  { load: personFrame.load, places: inPersonFrame },
] as const;

/** What the server draws of an address of which it does not know what it shows. */
export function frameOf(pathname: string): Around | null {
  const isHere = ({ path }: Place) => matchPath(path, pathname) !== null;
  if (questionScreens.some((place) => place.isDrawn && isHere(place))) return 'screen';
  return [...inShell, ...inTeachFrame, ...inPersonFrame].some(isHere) ? 'site' : null;
}

/**
 * Asks for all code of an address at once; drawing alone would ask for the page's only after the shell was there and
 * the server had said who is signed in. A failure shows when the page is drawn.
 * @returns when all of it is there, or some of it failed
 */
export async function askForCode(pathname: string): Promise<void> {
  const here = ({ path }: Place) => matchPath(path, pathname) !== null;
  const screen = questionScreens.find(here);
  const frame = frames.find(({ places }) => places.some(here));
  const framed = frame ? [frame.load, frame.places.find(here)?.load] : [inShell.find(here)?.load];
  const loads = screen === undefined ? [loadShell, ...framed] : [screen.load];
  await Promise.allSettled(loads.map((load) => load?.()));
}

/** Milliseconds until a page is long there, and until code that did not come ahead is asked for again. */
const SETTLED = 15_000;
const AGAIN = 5000;

/** Asks ahead for the code of the pages that an address leads to, once its own page is there and idle. @returns what ends that */
function askAhead(pathname: string): () => void {
  const leadsTo = questionScreens.find(({ path }) => matchPath(path, pathname) !== null)?.leadsTo ?? [];
  const missing = new Set(leadsTo.length === 0 ? [] : [loadShell]);
  for (const path of leadsTo) {
    const load = inShell.find((place) => place.path === path)?.load;
    if (load) missing.add(load);
  }
  let timer: ReturnType<typeof setTimeout>;
  const ask = async () => {
    await Promise.all(
      [...missing].map((load) =>
        load().then(
          () => missing.delete(load),
          () => undefined,
        ),
      ),
    );
    next();
  };
  const next = (after = AGAIN) => {
    if (missing.size > 0) timer = setTimeout(() => whenIdle(() => void ask(), AGAIN), after);
  };
  next(SETTLED);
  return () => {
    clearTimeout(timer);
    missing.clear();
  };
}

/** Which page an address shows. Only the question screens stand without the site's header. */
export function Router() {
  const { pathname } = useLocation();
  useEffect(() => void askForCode(pathname), [pathname]);
  useEffect(() => askAhead(pathname), [pathname]);
  const route = ({ path, element }: Place) => <Route key={path} path={path} element={element} />;
  return (
    <Suspense fallback={<BlankPage alone />}>
      <Routes>
        {questionScreens.map(route)}
        <Route element={<Frame page={shell} />}>
          {inShell.map(route)}
          <Route element={<Shown page={teachFrame} signedIn />}>{inTeachFrame.map(route)}</Route>
          <Route element={<Shown page={personFrame} signedIn />}>{inPersonFrame.map(route)}</Route>
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
    </Suspense>
  );
}

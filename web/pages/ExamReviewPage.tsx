import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import {
  Fragment,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Link, useLocation, useNavigate, useNavigationType, useParams } from 'react-router';
import { isSelfScored } from '#rules/exam/answer.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { fetchFormulas } from '#ui/RichText.tsx';
import { useLate } from '#ui/useLate.ts';
import { confirmStart } from '#web/exam/center/confirm-start.ts';
import type { Review } from '#web/exam/paper.ts';
import { CorrectionNote } from '#web/exam/question/CorrectionNote.tsx';
import { isPart, PractisePart } from '#web/exam/results/PractisePart.tsx';
import { ReviewBar, type ReviewView } from '#web/exam/results/ReviewBar.tsx';
import { headingOf, ReviewList } from '#web/exam/results/ReviewList.tsx';
import {
  passes,
  type ReviewFilter,
  type ReviewLine,
  reviewFilters,
  reviewLines,
} from '#web/exam/results/review-order.ts';
import { runReview } from '#web/exam/results/review-runner.ts';
import { SelfScore } from '#web/exam/results/SelfScore.tsx';
import { ExamBones } from '#web/exam/screen/ExamBones.tsx';
import { QuestionFocus } from '#web/exam/screen/QuestionFocus.tsx';
import { QuestionScreen } from '#web/exam/screen/QuestionScreen.tsx';
import { OwnReportNote } from '#web/feedback/OwnReportNote.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { type QueryChange, useQuery } from '#web/lib/query.ts';
import { currentLanguage, msg, t } from '#web/lib/t.ts';
import { callKey, useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import classes from './ExamReviewPage.module.css';
import { NoSuchRecord } from './NoSuchRecord.tsx';
import page from './page.module.css';

/** Its own code: most who come here ask nothing. */
const ResourceQuestions = lazy(() => import('#web/qa/ResourceQuestions.tsx'));

const loadOverlays = () => import('./ReviewOverlays.tsx');

/**
 * A handed-in record on the question screen (spec §3 examType 2), or with `?view=list` all of it under each other. View,
 * filter and question are in the address.
 */
export default function ExamReviewPage() {
  const id = idFrom(useParams().recordId);
  useTitle(t('答案与解析'));
  return id === null ? <Missing /> : <RecordReview recordId={id} key={id} />;
}

/** Instead of a review that cannot be shown: why, and the ways on. There is no header here to leave by. */
function Missing({ open = false }: { open?: boolean }) {
  return (
    <Instead ways={<Way to={paths.examCenter()} word={t('去考题中心')} />}>
      <NoSuchRecord open={open} />
    </Instead>
  );
}

function Instead({ children, ways }: { children: ReactNode; ways: ReactNode }) {
  return (
    <main className={`${page.page} ${page.narrow}`}>
      {children}
      <p className={classes.ways}>{ways}</p>
    </main>
  );
}

function Way({ to, word }: { to: string; word: string }) {
  return (
    <Button component={Link} to={to} variant="default">
      {word}
    </Button>
  );
}

function RecordReview({ recordId }: { recordId: number }) {
  const call = useCall('GET /app/exam/review', { recordId }, { staleTime: 0 });
  const ways = (
    <>
      <Way to={paths.examResult(recordId)} word={t('返回成绩')} />
      <Way to={paths.examCenter()} word={t('去考题中心')} />
    </>
  );
  return (
    <CallState
      call={call}
      skeleton={<ExamBones />}
      refusals={{ notFound: <Missing />, notSubmitted: <Missing open /> }}
      around={(failure) => <Instead ways={ways}>{failure}</Instead>}
    >
      {(review) => <SetReview review={review} />}
    </CallState>
  );
}

/** A review whose texts have formulas waits for what sets them: they would stand as their source first, and what is below them would move. */
function SetReview({ review }: { review: Review }) {
  const [set, setSet] = useState(review.formulas === undefined);
  useEffect(() => {
    if (!set) void fetchFormulas().then(() => setSet(true));
  }, [set]);
  return set ? <Shown review={review} /> : <ExamBones />;
}

const words: Readonly<Record<ReviewFilter, string>> = {
  all: msg('全部'),
  wrong: msg('错题'),
  unanswered: msg('未作答'),
  pending: msg('待评分'),
  hidden: msg('暂不显示'),
  flagged: msg('标记'),
  guessed: msg('蒙的'),
};

/**
 * Questions that a filter goes on showing until it is pressed again: one that was just scored stays where it is, with its
 * score. A mark that is taken away is meant to leave.
 */
function heldBy(only: ReviewFilter, lines: readonly ReviewLine[]): ReadonlySet<number> {
  if (only === 'flagged' || only === 'guessed') return new Set();
  return new Set(lines.filter((line) => passes(only, line)).map(({ index }) => index));
}

function Shown({ review }: { review: Review }) {
  const navigate = useNavigate();
  const [search, setQuery] = useQuery();
  const view: ReviewView = search.get('view') === 'list' ? 'list' : 'question';
  const only = reviewFilters.find((filter) => filter === search.get('only')) ?? 'all';
  const lines = useMemo(() => reviewLines(review), [review]);
  const [held, setHeld] = useState(() => ({ only, indexes: heldBy(only, lines) }));
  if (held.only !== only) setHeld({ only, indexes: heldBy(only, lines) });
  const shown = useMemo(
    () => lines.filter((line) => passes(only, line) || held.indexes.has(line.index)),
    [lines, only, held],
  );
  const record = useRunningReview(review, () => {
    const asked = idFrom(search.get('q'));
    if (asked !== null) return asked - 1;
    const named = idFrom(search.get('question'));
    const line = named === null ? undefined : lines.find(({ question }) => question.questionId === named);
    return (line ?? shown[0])?.index ?? 0;
  });
  const index = useCurrent(record);
  const [at, setAt] = useState(() => (view === 'list' && search.get('q') !== null ? { index, nonce: 0 } : null));
  const visible = useMemo(() => new Set(shown.map((line) => line.index)), [shown]);
  const passed = useCallback((number: number) => visible.has(number), [visible]);
  /** The filter that was chosen and is not on the screen yet: its list begins with its first question. */
  const toFirst = useRef<ReviewFilter | null>(null);
  useEffect(() => {
    record.narrow(passed);
    if (toFirst.current !== only) return;
    toFirst.current = null;
    const first = shown[0];
    if (first) record.dispatch({ type: 'go', to: first.index });
  }, [record, passed, shown, only]);
  const seen = useCallback(
    (to: number) => {
      // A dialog is about the question that it was opened at, though the page may still be moving under it.
      if (record.getState().dialog !== null) return false;
      record.dispatch({ type: 'go', to });
      return true;
    },
    [record],
  );
  // Fetched while the first question is read.
  const overlays = useLate(loadOverlays, 50);
  const scrollTo = useCallback((to: number) => setAt((was) => ({ index: to, nonce: (was?.nonce ?? 0) + 1 })), []);
  const put = (change: QueryChange, replace = true) => setQuery(change, { replace });
  const changeView = (to: ReviewView) => {
    if (to === 'list' && record.getState().current > 0) scrollTo(record.getState().current);
    put({ view: to === 'list' ? 'list' : null });
  };
  const { key } = useLocation();
  const arrival = useNavigationType();
  const arrived = useRef(key);
  useEffect(() => {
    if (arrived.current === key) return;
    arrived.current = key;
    // Back and forward lead to the question that the address names.
    const asked = idFrom(new URLSearchParams(window.location.search).get('q'));
    if (arrival !== 'POP' || asked === null) return;
    record.dispatch({ type: 'go', to: asked - 1 });
    if (view === 'list') scrollTo(asked - 1);
  }, [key, arrival, record, view, scrollTo]);
  const opener = useRef<(index: number) => void>(() => undefined);
  useEffect(() => {
    opener.current = (to) => {
      record.dispatch({ type: 'go', to });
      // A step of its own: back leads to the list again.
      put({ view: null }, false);
    };
  });
  const open = useCallback((to: number) => opener.current(to), []);
  const filters = (
    <Pills
      label={t('筛选')}
      value={only}
      choices={reviewFilters.flatMap((filter) => {
        const count = lines.filter((line) => passes(filter, line)).length;
        if (count === 0 && filter !== 'all' && filter !== only) return [];
        // Partly right is a mistake there, and not called one without a word.
        const withPartly = filter === 'wrong' && lines.some(({ verdict }) => verdict === 'partly');
        const word = withPartly ? t('没全对') : t(words[filter]);
        return [[filter, `${word} ${count}`] as const];
      })}
      onChoose={(filter) => {
        setAt(null);
        if (view === 'list') {
          // Another list begins at its top, with its first question the current one.
          window.scrollTo(0, 0);
          toFirst.current = filter === only ? null : filter;
        }
        setHeld({ only: filter, indexes: heldBy(filter, lines) });
        put({ only: filter === 'all' ? null : filter });
      }}
    />
  );
  const practise = isPart(only) && <PractisePart record={review} part={only} lines={lines} />;
  // The question on the screen stands in the card, whatever the filter says, so that the card shows where one is.
  const kept = view === 'question' ? index : -1;
  const shows = useCallback((number: number) => number === kept || passed(number), [kept, passed]);
  const narrowing = {
    control: (
      <div className={classes.narrow}>
        {filters}
        {view === 'question' && practise}
      </div>
    ),
    shows,
  };
  const again = async () => {
    record.dispatch({ type: 'dialog', dialog: null });
    if (await confirmStart(review)) void navigate(paths.exam(review.examId));
  };
  return (
    <QuestionScreen
      // Another language draws everything anew; place, dialog and marks are in `record` and stay.
      key={currentLanguage()}
      record={record}
      top={<ReviewBar view={view} onView={changeView} />}
      overlays={
        overlays && (
          <overlays.default
            lines={lines}
            narrowing={narrowing}
            narrowed={only !== 'all'}
            list={view === 'list'}
            onPicked={scrollTo}
            retake={review.retake}
            onAgain={() => void again()}
          />
        )
      }
      graded={gradedOf(review, lines[index])}
      narrowing={narrowing}
      onPicked={scrollTo}
      list={
        view === 'question' ? undefined : (
          <AllQuestions index={index}>
            <div className={classes.filters}>
              {filters}
              {practise}
            </div>
            {shown.length === 0 ? (
              <EmptyState
                text={t('没有这样的题。')}
                action={
                  <Button variant="default" onClick={() => put({ only: null })}>
                    {t('查看全部题目')}
                  </Button>
                }
              />
            ) : (
              <ReviewList key={only} review={review} lines={shown} at={at} onOpen={open} onSeen={seen} note={noteOf} />
            )}
          </AllQuestions>
        )
      }
    />
  );
}

/** The list of all with its heading. The focus goes where it goes on the question screen: to a question, here one of many. */
function AllQuestions({ index, children }: { index: number; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const at = useRef(index);
  useLayoutEffect(() => {
    at.current = index;
  }, [index]);
  const [heading] = useState(() => ({
    get current() {
      return headingOf(at.current) ?? title.current;
    },
  }));
  return (
    <div ref={list}>
      <h2 ref={title} tabIndex={-1} className="unseen">
        {t('逐题回顾')}
      </h2>
      {children}
      <QuestionFocus card={list} heading={heading} follows={false} />
    </div>
  );
}

/** What the school answered to the student's own report on a question. */
function noteOf(questionId: number) {
  return <OwnReportNote questionId={questionId} key={questionId} />;
}

function gradedOf({ recordId, packId }: Review, line: ReviewLine | undefined) {
  if (!line || line.question.hidden) return undefined;
  const { question } = line;
  return {
    score: question.myScore,
    correction: question.correction && <CorrectionNote correction={question.correction} shown={question} />,
    ownScore: isSelfScored(question.questionTypesId) && question.gradeMode === 'key' && question.answer !== '' && (
      <SelfScore recordId={recordId} question={question} key={question.questionId} />
    ),
    note: (
      <Fragment key={question.questionId}>
        {noteOf(question.questionId)}
        <Suspense>
          <ResourceQuestions packId={packId} questionId={question.questionId} recordId={recordId} />
        </Suspense>
      </Fragment>
    ),
  };
}

/** The review while the page shows it. A mark that the server has is in the cached review too, for the list and its filter. */
function useRunningReview(review: Review, opensAt: () => number) {
  const client = useQueryClient();
  const [record] = useState(() =>
    runReview(review, opensAt(), ({ mark, questionId, on }) => {
      const key = callKey('GET /app/exam/review', { recordId: review.recordId });
      client.setQueryData<Review>(key, (before) =>
        before === undefined
          ? before
          : {
              ...before,
              questions: before.questions.map((question) =>
                question.questionId === questionId ? { ...question, [mark]: on ? 1 : 0 } : question,
              ),
            },
      );
    }),
  );
  useEffect(() => {
    record.start();
    return record.stop;
  }, [record]);
  useEffect(() => record.renew(review), [record, review]);
  return record;
}

/** The position from 0 of the question on the screen. */
function useCurrent(record: ReturnType<typeof useRunningReview>): number {
  return useSyncExternalStore(record.subscribe, () => record.getState().current);
}

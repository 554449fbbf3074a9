import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { CardBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import type { Review } from '#web/exam/paper.ts';
import { VerdictSign } from '#web/exam/question/AnswerBlock.tsx';
import { verdictWords } from '#web/exam/question/verdict.ts';
import { ReviewList } from '#web/exam/results/ReviewList.tsx';
import {
  passes,
  type ReviewFilter,
  type ReviewLine,
  reviewFilters,
  reviewLines,
} from '#web/exam/results/review-order.ts';
import { putInAddress } from '#web/lib/address.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { msg, t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import classes from './ExamReviewPage.module.css';
import { NoSuchRecord } from './NoSuchRecord.tsx';
import page from './page.module.css';

/** Every answer of a handed-in record with its key (spec §3 examType 2). Filter and question are in the address. */
export default function ExamReviewPage() {
  const id = idFrom(useParams().recordId);
  useTitle(t('答案与解析'));
  return <div className={page.page}>{id === null ? <NoSuchRecord /> : <RecordReview recordId={id} key={id} />}</div>;
}

function RecordReview({ recordId }: { recordId: number }) {
  const call = useCall('GET /app/exam/review', { recordId }, { staleTime: 0 });
  return (
    <CallState
      call={call}
      skeleton={<CardBones count={3} height={260} />}
      refusals={{ notFound: <NoSuchRecord />, notSubmitted: <NoSuchRecord open /> }}
    >
      {(review) => <Shown review={review} />}
    </CallState>
  );
}

const words: Readonly<Record<ReviewFilter, string>> = {
  all: msg('全部'),
  wrong: msg('错题'),
  unanswered: msg('未作答'),
  pending: msg('待评分'),
  flagged: msg('标记'),
};

function Shown({ review }: { review: Review }) {
  const [search, setSearch] = useSearchParams();
  const only = reviewFilters.find((filter) => filter === search.get('only')) ?? 'all';
  const lines = useMemo(() => reviewLines(review), [review]);
  const shown = useMemo(() => lines.filter((line) => passes(only, line)), [lines, only]);
  const q = idFrom(search.get('q'));
  const [at, setAt] = useState(q === null ? null : { index: q - 1, nonce: 0 });
  const jump = (index: number) => {
    setAt({ index, nonce: (at?.nonce ?? 0) + 1 });
    putInAddress({ q: String(index + 1) });
  };
  return (
    <>
      <div className={classes.top}>
        <Link to={paths.examResult(review.recordId)} className={classes.back}>
          <IconArrowLeft size={18} aria-hidden />
          {t('成绩')}
        </Link>
        <h1 className={page.title}>{review.examName}</h1>
      </div>
      <div className={classes.filters}>
        <Pills
          label={t('筛选')}
          value={only}
          choices={reviewFilters.flatMap((filter) => {
            const count = lines.filter((line) => passes(filter, line)).length;
            if (count === 0 && filter !== 'all' && filter !== only) return [];
            return [[filter, `${t(words[filter])} ${count}`] as const];
          })}
          onChoose={(filter) => {
            setAt(null);
            setSearch(filter === 'all' ? {} : { only: filter }, { replace: true });
          }}
        />
      </div>
      <div className={classes.body}>
        {shown.length === 0 ? (
          <EmptyState
            text={t('没有这样的题。')}
            action={
              <Button variant="default" onClick={() => setSearch({}, { replace: true })}>
                {t('查看全部题目')}
              </Button>
            }
          />
        ) : (
          <ReviewList key={only} review={review} lines={shown} at={at} />
        )}
        <Numbers lines={shown} onPick={jump} />
      </div>
    </>
  );
}

/** The numbers of the shown questions with their verdict as colour and sign. */
function Numbers({ lines, onPick }: { lines: readonly ReviewLine[]; onPick: (index: number) => void }) {
  return (
    <nav className={classes.numbers} aria-label={t('答题卡')}>
      <h2>{t('答题卡')}</h2>
      <ol>
        {lines.map(({ index, question, verdict }) => (
          <li key={question.questionId}>
            <button
              type="button"
              data-verdict={verdict}
              onClick={() => onPick(index)}
              aria-label={t('第 {number} 题，{verdict}', { number: index + 1, verdict: t(verdictWords[verdict]) })}
            >
              {index + 1}
              {verdict !== 'unanswered' && <VerdictSign verdict={verdict} bare />}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

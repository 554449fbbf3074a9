import { Button } from '@mantine/core';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { CardBones, TextBones } from '#ui/Bones.tsx';
import { confirmStart } from '#web/exam/center/confirm-start.ts';
import { useWhyNotAgain } from '#web/exam/center/useWhyNotAgain.ts';
import { type Result, typeNames } from '#web/exam/paper.ts';
import { AnswerTimes } from '#web/exam/results/AnswerTimes.tsx';
import { sayAdvice } from '#web/exam/results/advice.ts';
import { NextSteps } from '#web/exam/results/NextSteps.tsx';
import { NotSent } from '#web/exam/results/NotSent.tsx';
import { PractiseParts } from '#web/exam/results/PractisePart.tsx';
import { RescoreNotes } from '#web/exam/results/RescoreNotes.tsx';
import { ResultList } from '#web/exam/results/ResultList.tsx';
import { ResultSummary } from '#web/exam/results/ResultSummary.tsx';
import { ShareBars } from '#web/exam/results/ShareBars.tsx';
import { difficultyName, sayPace } from '#web/exam/results/say-pace.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { useMe } from '#web/lib/me.ts';
import { idFrom, paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import classes from './ExamResultPage.module.css';
import { NoSuchRecord } from './NoSuchRecord.tsx';
import page from './page.module.css';

/** The result of a handed-in record (design language, Result). */
export default function ExamResultPage() {
  const id = idFrom(useParams().recordId);
  useTitle(t('成绩'));
  return <div className={page.page}>{id === null ? <NoSuchRecord /> : <RecordResult recordId={id} key={id} />}</div>;
}

function RecordResult({ recordId }: { recordId: number }) {
  const call = useCall('GET /app/exam/result_tip', { recordId }, { staleTime: 0 });
  return (
    <CallState
      call={call}
      skeleton={
        <div className={classes.parts}>
          <TextBones lines={6} />
          <CardBones count={2} height={220} />
        </div>
      }
      refusals={{ notFound: <NoSuchRecord />, notSubmitted: <NoSuchRecord open /> }}
    >
      {(result) => <Shown result={result} />}
    </CallState>
  );
}

function Shown({ result }: { result: Result }) {
  const { me } = useMe();
  const { state } = useLocation();
  const navigate = useNavigate();
  const { recordId } = result;
  const review = useCall('GET /app/exam/review', { recordId }, { staleTime: 0 });
  const late = lateOf(state);
  const indexOf = (id: number) => review.data?.questions.findIndex(({ questionId }) => questionId === id) ?? -1;
  const practice = result.examMode === -1;
  const own = result.kind === 'own';
  const random = result.kind === 'random';
  const home = own
    ? paths.wrongQuestions({ packId: result.packId })
    : random
      ? paths.randomPaper({ packId: result.packId })
      : result.chapterId === null
        ? paths.examCenter({ packId: result.packId })
        : paths.chapterExam({
            packId: result.packId,
            ...(result.courseId === null ? {} : { courseId: result.courseId }),
            type: result.kind === 'afterclass' ? 2 : 1,
          });
  // What can be done about is a step with a link (NextSteps).
  const said = result.advice.filter(({ code }) => code === 'level' || code === 'unanswered');
  const stop = useWhyNotAgain(result.retake);
  const again = async () => {
    if (await confirmStart(result)) void navigate(paths.exam(result.examId));
  };
  return (
    <div className={classes.parts}>
      {me && review.data && <NotSent studentId={me.studentId} recordId={recordId} indexOf={indexOf} late={late} />}
      <ResultSummary result={result}>
        <Button component={Link} to={paths.examReview(recordId)}>
          {t('查看解析')}
        </Button>
        {(result.pendingCount ?? 0) > 0 && (
          <Button component={Link} to={paths.examReview(recordId, { view: 'list', only: 'pending' })} variant="default">
            {t('去评分')}
          </Button>
        )}
        <Button onClick={() => void again()} variant="default" disabled={stop !== null}>
          {stop ?? (practice ? t('重新练习') : t('再考一次'))}
        </Button>
        {!own && (result.wrongCount ?? 0) > 0 && (
          <Button
            component={Link}
            to={paths.wrongQuestions({ packId: result.packId, exam: result.examId })}
            variant="default"
          >
            {t('错题本')}
          </Button>
        )}
        <Button component={Link} to={paths.paperPrint({ exam: result.examId, record: recordId })} variant="default">
          {t('打印')}
        </Button>
        <Button component={Link} to={home} variant="default">
          {own
            ? t('返回错题本')
            : random
              ? t('再组一份')
              : result.chapterId === null
                ? t('返回考题中心')
                : t('返回章节')}
        </Button>
      </ResultSummary>
      <RescoreNotes rescores={result.rescores} />
      {said.length > 0 && (
        <ul className={classes.advice}>
          {said
            .map((one) => sayAdvice(one, { practice }))
            .map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
        </ul>
      )}
      <NextSteps result={result} />
      {review.data && <PractiseParts review={review.data} />}
      {review.data && <AnswerTimes result={result} questions={review.data.questions} />}
      {/* All that adds up to the score is withheld with it. */}
      {!result.withheld && (
        <div className={classes.bars}>
          <ShareBars
            title={t('各章得分')}
            shares={result.byChapter.map((chapter) => ({
              key: chapter.chapterId,
              name: chapter.name,
              earned: chapter.earned,
              total: chapter.total,
              pending: chapter.pending,
              // Alone, the average is only the own bar again.
              average: result.takerCount > 1 ? chapter.averageRate : null,
              note: paceOf(chapter),
            }))}
          />
          <div className={classes.side}>
            <ShareBars
              title={t('各题型得分')}
              shares={result.byType.map((type) => ({
                key: type.questionTypesId,
                name: partName(t(typeNames[type.questionTypesId] ?? ''), type),
                earned: type.earned,
                total: type.total,
                pending: type.pending,
                average: result.takerCount > 1 ? type.averageRate : null,
                note: paceOf(type),
              }))}
            />
            {result.byDifficulty.some(({ difficulty }) => difficulty > 0) && (
              <ShareBars
                title={t('各难度得分')}
                shares={result.byDifficulty.map((level) => ({
                  key: level.difficulty,
                  name: partName(difficultyName(level.difficulty), level),
                  earned: level.earned,
                  total: level.total,
                  pending: level.pending,
                  average: result.takerCount > 1 ? level.averageRate : null,
                  note: paceOf(level),
                }))}
              />
            )}
          </div>
        </div>
      )}
      <CallState call={review} skeleton={<TextBones />}>
        {(data) => <ResultList review={data} />}
      </CallState>
    </div>
  );
}

/** A part of the record with how many of its questions were right, of those that have their score, and how many wait for it. */
function partName(
  type: string,
  { right, count, pendingCount }: Pick<Result['byType'][number], 'right' | 'count' | 'pendingCount'>,
): string {
  if (pendingCount === 0) return t('{type} · {right} / {count} 题答对', { type, right, count });
  const scored = count - pendingCount;
  if (scored === 0) return t('{type} · {pending} 题待评分', { type, pending: pendingCount });
  return t('{type} · {right} / {count} 题答对，{pending} 题待评分', {
    type,
    right,
    count: scored,
    pending: pendingCount,
  });
}

/** What the time of a part of the record cost. */
function paceOf({
  earned,
  total,
  pending,
  seconds,
}: Pick<Result['byType'][number], 'earned' | 'total' | 'pending' | 'seconds'>) {
  return sayPace(total - pending - earned, seconds);
}

/** The questions that came too late, as the exam screen passed them on; anything else is nothing. */
function lateOf(state: unknown): number[] {
  if (typeof state !== 'object' || state === null || !('late' in state) || !Array.isArray(state.late)) return [];
  return state.late.filter((id) => typeof id === 'number');
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { confirm } from '#ui/confirm.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { FailedState } from '#ui/FailedState.tsx';
import { LoadingState } from '#ui/LoadingState.tsx';
import { examToast, toast } from '#ui/toast.ts';
import { useLate } from '#ui/useLate.ts';
import { ExamBones } from '#web/exam/screen/ExamBones.tsx';
import { ExamScreen } from '#web/exam/screen/ExamScreen.tsx';
import { anyAnswered } from '#web/exam/session/exam-model.ts';
import type { Exam } from '#web/exam/session/exam-runner.ts';
import { useOpenExam } from '#web/exam/session/useOpenExam.ts';
import { type Me, useMe } from '#web/lib/me.ts';
import { idFrom, paths } from '#web/lib/paths.ts';
import { failureText, retryHelps } from '#web/lib/send.ts';
import { currentLanguage, sentences, t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import page from './page.module.css';

const loadOverlays = () => import('./ExamOverlays.tsx');

/** The exam itself. The address keeps the record and the question, `?record=8&q=12`; without one it opens where one was. */
export default function ExamPage() {
  const { me } = useMe();
  const { examId } = useParams();
  const { key } = useLocation();
  const id = idFrom(examId);
  if (me === null) return null;
  if (id === null) return <Missing msg={t('没有找到您要的内容')} />;
  // Another navigation to the same exam (重新开始) is another sitting.
  return <Sitting key={`${id} ${key}`} examId={id} me={me} />;
}

function Sitting({ examId, me }: { examId: number; me: Me }) {
  const navigate = useNavigate();
  const [at] = useState(() => {
    const query = new URLSearchParams(window.location.search);
    const number = idFrom(query.get('q'));
    return { recordId: idFrom(query.get('record')), index: number === null ? null : number - 1 };
  });
  const { exam, error, retry, waiting } = useOpenExam(
    { examId, ...at, studentId: me.studentId },
    {
      toResult: (recordId, result) => {
        void navigate(paths.examResult(recordId), { replace: true, state: { late: result?.late ?? [] } });
      },
      toExamCenter: (packId) => {
        toast(t('考试时间已到'), 'plain', examToast);
        void navigate(paths.examCenter({ packId }), { replace: true });
      },
    },
  );
  if (error?.why === 'notEnrolled') return <Missing msg={t(error.msg)} to={paths.courses()} word={t('全部课程')} />;
  if (error?.why === 'madeBeforeExam')
    return <Missing msg={t(error.msg)} to={paths.myExams({ state: 'open' })} word={t('继续作答')} />;
  if (error !== null && !retryHelps(error)) return <Missing msg={t(error.msg)} />;
  if (error !== null) return <Missing msg={t(error.msg)} onRetry={() => void retry()} waiting={waiting} />;
  if (exam === null) return <ExamBones />;
  return <Open exam={exam} />;
}

function Open({ exam }: { exam: Exam }) {
  const navigate = useNavigate();
  const { record } = exam.getState();
  // Fetched while the first question is read.
  const overlays = useLate(loadOverlays, 50);
  useTitle(record.examName);
  const back =
    record.chapterId !== null
      ? paths.chapterExam({
          packId: record.packId,
          ...(record.courseId === null ? {} : { courseId: record.courseId }),
          type: record.kind === 'afterclass' ? 2 : 1,
        })
      : paths.examCenter({ packId: record.packId });
  const leave = async () => {
    exam.dispatch({ type: 'left' });
    const unsent = exam.getState().phase === 'open' ? await exam.unsentAfter(1000) : 0;
    const { record: now, phase } = exam.getState();
    if (phase === 'open' && (now.endsAt !== null || unsent > 0)) {
      const timed = now.endsAt !== null;
      const sure = await confirm({
        title: timed ? t('离开考试？') : t('离开练习？'),
        text: sentences(
          unsent > 0
            ? t('还有 {count} 题没有送达服务器：请不要关闭网页，网络恢复后会自动发送。', { count: unsent })
            : t('作答已保存。'),
          timed && t('考试仍在计时，时间到了会自动交卷。'),
        ),
        yes: t('离开'),
        no: t('继续作答'),
        careful: true,
      });
      if (!sure) return;
    }
    void navigate(back);
  };
  const startAgain = async () => {
    if (!anyAnswered(exam.getState())) {
      // Nothing was answered (reciting): again is simply from the first question.
      exam.dispatch({ type: 'dialog', dialog: null });
      exam.dispatch({ type: 'go', to: 0 });
      return;
    }
    try {
      await exam.closeForRestart();
      void navigate(paths.exam(record.examId), { replace: true });
    } catch (error) {
      toast(failureText(error), 'bad', examToast);
    }
  };
  return (
    <ExamScreen
      // Another language draws everything anew; what matters is in `exam` and stays.
      key={currentLanguage()}
      exam={exam}
      onLeave={() => void leave()}
      onResult={() => navigate(paths.examResult(record.recordId), { replace: true })}
      overlays={
        overlays && (
          <overlays.default
            onLeave={() => navigate(back)}
            onNextChapter={(examId) => navigate(paths.exam(examId), { replace: true })}
            onStartAgain={startAgain}
          />
        )
      }
    />
  );
}

interface MissingProps {
  msg: string;
  onRetry?: () => void;
  waiting?: boolean;
  /** Where to go on: 考题中心 unless said otherwise. */
  to?: string;
  word?: string;
}

function Missing({ msg, onRetry, waiting = false, to = paths.examCenter(), word = t('去考题中心') }: MissingProps) {
  useTitle(t('考试'));
  return (
    <main className={`${page.page} ${page.narrow}`}>
      {waiting ? (
        <LoadingState skeleton={<ExamBones />} />
      ) : onRetry ? (
        <FailedState text={msg} onRetry={onRetry} />
      ) : (
        <EmptyState text={msg} />
      )}
      <p style={{ textAlign: 'center' }}>
        <Button component={Link} to={to} variant="default">
          {word}
        </Button>
      </p>
    </main>
  );
}

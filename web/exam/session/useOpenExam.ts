import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { putInAddress } from '#web/lib/address.ts';
import { nameAhead } from '#web/lib/asked-ahead.ts';
import { tellExamBegan } from '#web/lib/exam-began.ts';
import { randomName } from '#web/lib/random-name.ts';
import { recall } from '#web/lib/remember.ts';
import type { CallError } from '#web/lib/send.ts';
import { shouldRetry } from '#web/lib/useCall.ts';
import { AUTO_ADVANCE, type Exam, type Leaving, runExam, SHOW_AT_ONCE } from './exam-runner.ts';
import { forgetJottings } from './jottings.ts';
import { keptMarks } from './kept-marks.ts';
import { openRecord } from './open-exam.ts';
import { recallPlace, whereOneWas } from './place.ts';
import { openExam } from './snapshot.ts';

interface Asked {
  examId: number;
  /** A record to open again; null starts the exam or resumes its open record. */
  recordId: number | null;
  /** Position from 0 of the question that the address names; null opens the record where one was. */
  index: number | null;
  studentId: number;
}

/**
 * Opens a record once for as long as the page shows it, and runs it until the page goes. `exam` is null while it is
 * being opened.
 */
export function useOpenExam(asked: Asked, leaving: Leaving) {
  const [windowId] = useState(() => nameAhead() ?? randomName());
  const [exam, setExam] = useState<Exam | null>(null);
  const { data, error, refetch, isFetching } = useQuery<Awaited<ReturnType<typeof openRecord>>, CallError>({
    queryKey: ['open record', asked.examId, asked.recordId, windowId],
    queryFn: () => openRecord(asked.examId, asked.recordId, asked.studentId, windowId),
    retry: shouldRetry,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const client = useQueryClient();
  const scored = data !== undefined && data.snapshot.examMode === 1 && data.snapshot.submittedAt === null;
  useEffect(() => {
    if (scored) tellExamBegan(client);
  }, [scored, client]);
  const out = useRef(leaving);
  useEffect(() => {
    out.current = leaving;
  });
  const { index, studentId } = asked;
  useEffect(() => {
    if (!data) return;
    const { paper, snapshot, local } = data;
    const { recordId } = snapshot;
    const opensAt = index ?? whereOneWas(paper, snapshot, local, recallPlace(recordId));
    putInAddress({ record: String(recordId), ...(opensAt > 0 ? { q: String(opensAt + 1) } : {}) });
    const opening = openExam(paper, snapshot, local, {
      index: opensAt,
      autoAdvance: recall(AUTO_ADVANCE) !== 'off',
      showAtOnce: recall(SHOW_AT_ONCE) === 'on',
      online: navigator.onLine,
      marks: keptMarks(recordId),
    });
    const running = runExam(opening, data.store, windowId, {
      toResult: (closedId, result) => {
        forgetJottings(studentId, closedId);
        out.current.toResult(closedId, result);
      },
      toExamCenter: (packId) => {
        forgetJottings(studentId, recordId);
        out.current.toExamCenter(packId);
      },
    });
    running.start();
    setExam(running);
    return () => {
      running.stop();
      setExam(null);
    };
  }, [data, index, studentId, windowId]);
  return { exam, error: data ? null : error, retry: refetch, waiting: isFetching };
}

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { recall } from '#web/lib/remember.ts';
import type { CallError } from '#web/lib/send.ts';
import { shouldRetry } from '#web/lib/useCall.ts';
import { AUTO_ADVANCE, type Exam, type Leaving, putInAddress, runExam } from './exam-runner.ts';
import { newWindowId, openRecord } from './open-exam.ts';
import { openExam } from './snapshot.ts';

interface Wish {
  examId: number;
  /** A record to open again; null starts the exam or resumes its open record. */
  recordId: number | null;
  /** Position from 0 to begin at. */
  index: number;
  studentId: number;
}

/**
 * Opens a record once for as long as the page shows it, and runs it until the page goes. `exam` is null while it is
 * being opened.
 */
export function useOpenExam(wish: Wish, leaving: Leaving) {
  const [windowId] = useState(newWindowId);
  const [exam, setExam] = useState<Exam | null>(null);
  const { data, error, refetch, isFetching } = useQuery<Awaited<ReturnType<typeof openRecord>>, CallError>({
    queryKey: ['open record', wish.examId, wish.recordId, windowId],
    queryFn: () => openRecord(wish.examId, wish.recordId, wish.studentId, windowId),
    retry: shouldRetry,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const out = useRef(leaving);
  useEffect(() => {
    out.current = leaving;
  });
  const { index } = wish;
  useEffect(() => {
    if (!data) return;
    putInAddress({ record: String(data.snapshot.recordId) });
    const opening = openExam(data.paper, data.snapshot, data.local, {
      index,
      autoAdvance: recall(AUTO_ADVANCE) !== 'off',
      online: navigator.onLine,
    });
    const running = runExam(opening, data.store, windowId, {
      toResult: (recordId, result) => out.current.toResult(recordId, result),
      toExamCenter: (packId) => out.current.toExamCenter(packId),
    });
    running.start();
    setExam(running);
    return () => {
      running.stop();
      setExam(null);
    };
  }, [data, index, windowId]);
  return { exam, error: data ? null : error, retry: refetch, waiting: isFetching };
}

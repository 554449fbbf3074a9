import type { Static } from 'typebox';
import type { RecordState } from '#contract/exam.ts';
import { questionModes } from '#contract/values/exam.ts';
import { examModeOf } from '#rules/exam/reveal.ts';
import type { RecordView } from './store.ts';

/** A record as the contract writes it. */
export function recordState(record: RecordView): Static<typeof RecordState> {
  return {
    recordId: record.id,
    examId: record.examId,
    examName: record.examName,
    kind: record.kind,
    packId: record.packId,
    courseId: record.courseId,
    chapterId: record.chapterId,
    examMode: examModeOf(record.kind),
    questionMode: questionModes.answer,
    testType: record.testType,
    examTime: record.examTime,
    totalQuestion: record.totalQuestion,
    totalScore: record.totalScore,
    paperVersion: record.version,
    examType: record.submittedAt === null ? 1 : 2,
    startedAt: record.startedAt,
    endsAt: record.endsAt,
    extraTime: record.extraMinutes,
    accommodation: record.accommodation,
    submittedAt: record.submittedAt,
    totalTime: record.totalTime,
  };
}

import {
  CorrectQuestion,
  ListQuality,
  PreviewCorrection,
  QualityChoices,
  QualityLooks,
  ReadQuality,
  RestoreQuestion,
  RetireQuestion,
} from '#contract/exam-quality.ts';
import { listChapterTree } from '#server/course/chapter-store.ts';
import { listPacks } from '#server/course/pack-store.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import { countQuestionsToLookAt, countQuestionsToLookAtByPack, listQuality, readQuality } from '../grading/quality.ts';
import type { ExamParts } from '../parts.ts';
import { makeCorrection, tryCorrection } from './correct.ts';
import { makeRestored, makeRetired } from './retire.ts';

/** Binds the calls by which teachers look after questions; all of them are for teachers alone (`who`). */
export function qualityRoutes(serve: Serve, exam: ExamParts): void {
  const { query } = exam.db;
  serve(QualityChoices, async ({ input }) => {
    const packs = await listPacks(query);
    const packId = packs.find((pack) => pack.packId === input.packId)?.packId ?? packs[0]?.packId ?? null;
    if (packId === null) return { packId, packs, chapters: [], looks: 0 };
    const chapters = await listChapterTree(query, packId);
    return {
      packId,
      packs,
      chapters: chapters.map(({ id, name, level }) => ({ chapterId: id, name, level })),
      looks: await countQuestionsToLookAt(query, packId),
    };
  });
  serve(QualityLooks, async () => {
    const counted = await countQuestionsToLookAtByPack(query);
    const names = counted.size === 0 ? [] : await listPacks(query);
    const packs = names.flatMap(({ packId, packName }) => {
      const looks = counted.get(packId);
      return looks === undefined ? [] : [{ packId, packName, looks }];
    });
    return {
      total: packs.reduce((sum, { looks }) => sum + looks, 0),
      packs: packs.sort((one, other) => other.looks - one.looks),
    };
  });
  serve(ListQuality, async ({ input: { packId, ...asked } }) => {
    if (packId === undefined) return refuse('badInput', 'packId');
    return (await listQuality(query, { ...asked, packId })) ?? refuse('notFound', 'chapterId');
  });
  serve(
    ReadQuality,
    async ({ input: { questionId } }) => (await readQuality(exam, questionId)) ?? refuse('notFound', 'questionId'),
  );
  serve(PreviewCorrection, async ({ input }) => {
    const tried = await tryCorrection(exam, input);
    return tried.ok ? tried.preview : refuse(tried.why, tried.field, tried.at);
  });
  serve(CorrectQuestion, async ({ input, user, arrivedAt }) => {
    const done = await makeCorrection(exam, { ...input, teacherId: user.userId, now: arrivedAt });
    return done.ok ? done.question : refuse(done.why, done.field, done.at);
  });
  serve(RetireQuestion, async ({ input, user, arrivedAt }) => {
    const done = await makeRetired(exam, { ...input, teacherId: user.userId, now: arrivedAt });
    return done.ok ? done.data : refuse(done.why, done.field);
  });
  serve(RestoreQuestion, async ({ input, arrivedAt }) => {
    const done = await makeRestored(exam, { ...input, now: arrivedAt });
    return done.ok ? done.data : refuse(done.why, done.field);
  });
}

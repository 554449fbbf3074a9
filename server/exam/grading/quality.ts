import type { DataOf, InputOf } from '#contract/call.ts';
import type { ListQuality, PreviewCorrection, ReadQuality } from '#contract/exam-quality.ts';
import { byLetter, type Quality, qualityOf } from '#rules/exam/quality.ts';
import { type QuestionChange, regraded } from '#rules/exam/rescore.ts';
import { isPass } from '#rules/exam/result.ts';
import { addPoints, type Graded, gradeAnswer } from '#rules/exam/scoring.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import { chapterWithBelow, readChapterNames } from '#server/course/chapter-store.ts';
import { readPackNames } from '#server/course/store.ts';
import type { Query } from '#server/db/open.ts';
import { readPeople } from '#server/user/store.ts';
import { asShownWithKey } from '../paper/content.ts';
import type { Planned } from '../paper/correct-question.ts';
import type { PlannedRule } from '../paper/correct-rule.ts';
import { readRetirement } from '../paper/retired-store.ts';
import { readCaseMaterial, readExamNames } from '../paper/standing-question-store.ts';
import {
  findCorrectable,
  type PaperVersion,
  type QuestionBefore,
  type RuleCorrection,
  readRevisions,
  readRuleCorrections,
  readTeacherCorrections,
} from '../paper/teacher-correction-store.ts';
import type { TouchedVersion } from '../paper/touched-versions.ts';
import type { ExamParts } from '../parts.ts';
import { countedRight, meaningOf, reasonsOf } from './count-quality.ts';
import { countOwnWith } from './own-rescore-store.ts';
import {
  countLooks,
  countLooksByPack,
  type QualityPlace,
  readQualityPage,
  readStandingQuality,
  type StandingQuality,
} from './quality-store.ts';
import { countOpen, countRescored, type RecordToTry, readToTry } from './rescore-store.ts';
import { countWaiting } from './waiting.ts';

type Line = DataOf<typeof ListQuality>['list'][number];
type Detail = DataOf<typeof ReadQuality>;
type Preview = DataOf<typeof PreviewCorrection>;

/** Pages read for one page at most, where a text that is searched for stands in tags rather than in what is read. */
const MOST_TURNS = 8;
/** Records tried in one go by a preview, so that others are served in between. */
const TRIED_AT_ONCE = 250;
/** Papers of students that a preview looks through in one go, for the same reason. */
const OWN_PAPERS_AT_ONCE = 1000;
const MOST_HISTORY = 50;

/** For teachers alone: they see what is graded of everybody, together. A page of questions with how they fare; null: no such chapter. */
export async function listQuality(
  query: Query,
  asked: InputOf<typeof ListQuality> & { packId: number },
): Promise<DataOf<typeof ListQuality> | null> {
  const { packId, chapterId, questionTypesId = 0, only, pageSize } = asked;
  const text = tidyText(asked.text).toLowerCase();
  const chapterIds = chapterId === undefined ? undefined : await chapterWithBelow(query, packId, chapterId);
  if (chapterIds === null) return null;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const filter = {
    packId,
    chapterIds,
    only,
    ...(questionTypesId > 0 && { questionTypesId }),
    ...(text !== '' && { text: escaped }),
  };
  const found: StandingQuality[] = [];
  let after = placeFrom(asked.after);
  let more = true;
  for (let turn = 0; more && found.length < pageSize && turn < MOST_TURNS; turn += 1) {
    const page = await readQualityPage(query, filter, after, pageSize + 1 - found.length);
    more = page.length === pageSize + 1 - found.length;
    for (const one of more ? page.slice(0, -1) : page) {
      if (
        text === '' ||
        one.question.topic
          .replace(/<[^>]*>/g, '')
          .toLowerCase()
          .includes(escaped)
      )
        found.push(one);
      after = { attention: one.attention, questionId: one.question.questionId };
    }
  }
  const chapters = await readChapterNames(query, [...new Set(found.map(({ question }) => question.chapterId))]);
  return {
    list: found.map((one) => lineOf(one, chapters)),
    next: more && after !== null ? `${after.attention}.${after.questionId}` : null,
  };
}

/** How many questions of a pack need a look, up to a hundred. */
export const countQuestionsToLookAt = (query: Query, packId: number): Promise<number> => countLooks(query, packId);

/** The same of all packs that have some, whole. */
export const countQuestionsToLookAtByPack = (query: Query): Promise<ReadonlyMap<number, number>> =>
  countLooksByPack(query);

function placeFrom(typed: string | undefined): QualityPlace | null {
  const read = /^(\d{1,6})\.(\d{1,15})$/.exec(typed ?? '');
  return read ? { attention: Number(read[1]), questionId: Number(read[2]) } : null;
}

function figuresOf({ question, choices, meaning }: StandingQuality): Quality {
  return qualityOf(meaning === meaningOf(question) ? choices : {}, countedRight(question));
}

const thousandths = (share: number | null) => (share === null ? null : Math.round(share * 1000) / 1000);
const shareOf = (count: number, group: number) => (group === 0 ? null : thousandths(Math.min(1, count / group)));

function lineOf(standing: StandingQuality, chapters: ReadonlyMap<number, string>): Line {
  const { question } = standing;
  const quality = figuresOf(standing);
  return {
    questionId: question.questionId,
    questionTypesId: question.type,
    topic: question.topic,
    chapterId: question.chapterId,
    chapterName: chapters.get(question.chapterId) ?? '',
    gradeMode: question.gradeMode,
    answered: quality.answered,
    rightRate: thousandths(quality.rightRate),
    discrimination: thousandths(quality.discrimination),
    letters: byLetter(quality.given, question.letters).map(({ letter, all, upper, lower }) => ({
      letter,
      right: question.right.includes(letter),
      all,
      upper: shareOf(upper, quality.group),
      lower: shareOf(lower, quality.group),
    })),
    reports: standing.reports,
    reasons: reasonsOf(question, standing),
  };
}

/** For teachers alone: one question with all that is known of it; null: there is none. */
export async function readQuality(
  { db: { query }, hiddenOf }: Pick<ExamParts, 'db' | 'hiddenOf'>,
  questionId: number,
): Promise<Detail | null> {
  const standing = (await readStandingQuality(query, [questionId])).get(questionId);
  const found = standing && (await findCorrectable(query, questionId));
  if (!standing || !found) return null;
  const { question, packId, archived } = standing;
  const quality = figuresOf(standing);
  return {
    ...lineOf(standing, await readChapterNames(query, [question.chapterId])),
    packId,
    packName: (await readPackNames(query, [packId])).get(packId) ?? '',
    archived,
    retired: await saidOf(query, found.row.retired),
    question: asShownWithKey(question, null, thousandths(quality.rightRate)),
    cases: await readCaseMaterial(query, question.caseId === null ? [] : [question.caseId]),
    group: Math.round(quality.group),
    answers: quality.given.slice(0, 10).map(({ answer, all, upper, lower }) => ({
      answer,
      all,
      upper: shareOf(upper, quality.group),
      lower: shareOf(lower, quality.group),
    })),
    papers: found.papers,
    standing: found.standing,
    history: await readHistory(query, hiddenOf, { packId, questionId }, found.row),
  };
}

/** Who took a question out, when and why; null: nobody did. */
async function saidOf(query: Query, stored: string): Promise<Detail['retired']> {
  const said = readRetirement(stored);
  if (said === null) return null;
  const { at, teacherId, reason } = said;
  const teacher = teacherId === undefined ? null : (await readPeople(query, [teacherId])).get(teacherId);
  return { at, nickname: teacher === null ? null : (teacher?.nickname ?? ''), reason };
}

type State = QuestionBefore['state'];
type Change = Detail['history'][number]['changes'][number];

async function readHistory(
  query: Query,
  hiddenOf: ExamParts['hiddenOf'],
  { packId, questionId }: { packId: number; questionId: number },
  now: State,
): Promise<Detail['history']> {
  const revisions = await readRevisions(query, questionId, MOST_HISTORY);
  const own = (await readTeacherCorrections(query, [questionId])).get(questionId) ?? [];
  const rules = await readRuleCorrections(query, { packId, questionId });
  const exams = await readExamNames(query, [
    ...own.flatMap(({ change }) => Object.keys(change.scores ?? {}).map(Number)),
    ...rules.map(({ examId }) => examId),
  ]);
  const said = [
    ...own.map((made) => ({ ...made, changes: changesOf(made.change, exams) })),
    ...rules.map((made) => ({ ...made, changes: [ruleChangeOf(made, exams)] })),
  ];
  const teachers = await readPeople(
    query,
    said.map(({ teacherId }) => teacherId),
  );
  const rescored = await countRescored(
    query,
    said.map(({ id }) => id),
  );
  const waiting = await countWaiting(
    query,
    hiddenOf,
    said.flatMap(({ id, doneAt }) => (doneAt === null ? [id] : [])),
  );
  const events = new Map<number, Detail['history'][number]>();
  for (const [at, { correctionId, madeAt, state }] of revisions.entries()) {
    const changes = differences(state, revisions[at + 1]?.state ?? now);
    if (changes.length === 0) continue;
    events.set(correctionId, {
      correctionId,
      madeAt,
      nickname: null,
      reason: null,
      changes,
      rescored: 0,
      done: true,
      waiting: 0,
    });
  }
  for (const { id, teacherId, reason, changes, madeAt, doneAt } of said)
    events.set(id, {
      correctionId: id,
      madeAt,
      nickname: teachers.get(teacherId)?.nickname ?? '',
      reason,
      changes,
      rescored: rescored.get(id) ?? 0,
      done: doneAt !== null,
      waiting: waiting.get(id) ?? 0,
    });
  return [...events.values()].sort((a, b) => b.correctionId - a.correctionId).slice(0, MOST_HISTORY);
}

const optionsAsHtml = (options: string) =>
  Object.entries(JSON.parse(options) as Record<string, string>)
    .map(([letter, html]) => `${letter}. ${html}`)
    .join('<br />');

/** What an import changed. */
function differences(before: State, after: State): Change[] {
  const change = (field: Change['field'], was: string, is: string): Change[] =>
    was === is ? [] : [{ field, before: was, after: is, examName: null }];
  const moved = (field: 'chapter' | 'material', same: boolean): Change[] =>
    same ? [] : [{ field, before: '', after: '', examName: null }];
  return [
    ...change('questionTypesId', String(before.question_types_id), String(after.question_types_id)),
    ...change('topic', before.topic, after.topic),
    ...change('options', optionsAsHtml(before.options), optionsAsHtml(after.options)),
    ...change('right', before.right_answer, after.right_answer),
    ...change('analysis', before.answer_analysis, after.answer_analysis),
    ...moved('chapter', before.chapter_id === after.chapter_id),
    ...moved('material', before.case_id === after.case_id),
  ];
}

/** What a teacher changed. */
function changesOf(change: QuestionChange, exams: ReadonlyMap<number, string>): Change[] {
  const one = (field: Change['field'], pair: readonly [string | number, string | number] | undefined): Change[] =>
    pair === undefined ? [] : [{ field, before: String(pair[0]), after: String(pair[1]), examName: null }];
  return [
    ...one('right', change.right),
    ...one('analysis', change.analysis),
    ...one('gradeMode', change.gradeMode),
    // That a question counts for nothing says of its points what there is to say.
    ...(change.gradeMode === undefined || change.gradeMode.every((gradeMode) => gradeMode !== 'void')
      ? Object.entries(change.scores ?? {}).map(
          ([examId, [before, after]]): Change => ({
            field: 'score',
            before: String(before),
            after: String(after),
            examName: exams.get(Number(examId)) ?? '',
          }),
        )
      : []),
  ];
}

/** What was changed in the rule of a paper that has the question. */
function ruleChangeOf({ examId, change }: RuleCorrection, exams: ReadonlyMap<number, string>): Change {
  const [before, after] = change.partial.map((share) => (share === null ? '' : String(share)));
  return { field: 'partial', before: before ?? '', after: after ?? '', examName: exams.get(examId) ?? '' };
}

/** For teachers alone: what a correction would change in the records that are over. */
export async function previewCorrection(
  query: Query,
  { found, change, touched }: Extract<Planned, { ok: true }>,
): Promise<Preview> {
  const questionId = found.row.id;
  const preview = await tryRecords(query, touched, [questionId], (version, record) =>
    differenceOf(version, record, questionId),
  );
  // Papers that students put together keep the points that they began with.
  if (change.right !== undefined || change.gradeMode !== undefined) {
    const own = await countOwnWith(query, { questionId, packId: found.row.pack_id }, OWN_PAPERS_AT_ONCE);
    preview.own = own.closed;
    preview.open += own.open;
  }
  return preview;
}

/** The same of another rule for partly right answers; papers that students put together have none. */
export function previewRule(query: Query, { change, touched }: PlannedRule): Promise<Preview> {
  const [, share] = change.partial;
  const versions = touched.map((version) => {
    const total = addPoints(version.content.questions.map(({ score }) => score));
    return { ...version, totalBefore: total, totalAfter: total };
  });
  return tryRecords(query, versions, change.questionIds, ({ content, questions }, { graded, answers }) => {
    const own = questions.filter(({ questionId }) => graded.has(questionId));
    if (own.length === 0) return null;
    // By the rule before, and not as it is graded: a key that is corrected with it, and has not come to this record, is told by itself.
    const by = (rule: number | null) =>
      own.map((question) => gradeAnswer(question, answers.get(question.questionId) ?? null, rule).earned ?? 0);
    return addPoints([...by(share), ...by(content.partial).map((earned) => -earned)]);
  });
}

/**
 * Adds up what closed records would gain, those too that come to a version yet.
 * @param gainOf what one of a version gains; null: nothing of it is graded again
 */
async function tryRecords<Version extends PaperVersion & { totalBefore: number; totalAfter: number }>(
  query: Query,
  touched: readonly Version[],
  questionIds: readonly number[],
  gainOf: (version: Version, record: RecordToTry) => number | null,
): Promise<Preview> {
  const [gaining, losing, students] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const preview: Preview = {
    records: 0,
    students: 0,
    gaining: 0,
    losing: 0,
    passing: 0,
    failing: 0,
    open: 0,
    own: 0,
    papers: [],
  };
  const byExam = new Map<number, Preview['papers'][number]>();
  for (const version of touched) {
    const { exam, totalBefore, totalAfter } = version;
    const versions = [version.version, ...version.comeYet];
    for (const one of versions) preview.open += await countOpen(query, exam.id, one);
    const paper = byExam.get(exam.id) ?? {
      examId: exam.id,
      name: exam.name,
      records: 0,
      averageBefore: 0,
      averageAfter: 0,
      totalBefore,
      totalAfter,
      passedBefore: 0,
      passedAfter: 0,
    };
    byExam.set(exam.id, paper);
    const passed = (score: number, total: number) => isPass(score, total, exam.pass_score);
    for (let [at, after] = [0, 0]; at < versions.length; ) {
      const asked = { examId: exam.id, version: versions[at] ?? 0, questionIds };
      const records = await readToTry(query, asked, after, TRIED_AT_ONCE);
      for (const record of records) {
        const difference = gainOf(version, record);
        if (difference === null) continue;
        const score = addPoints([record.score, difference]);
        paper.records += 1;
        // Sums, until all are there.
        paper.averageBefore += record.score;
        paper.averageAfter += score;
        const [was, is] = [passed(record.score, totalBefore), passed(score, totalAfter)];
        paper.passedBefore += Number(was);
        paper.passedAfter += Number(is);
        preview.passing += Number(is && !was);
        preview.failing += Number(was && !is);
        students.add(record.userId);
        if (difference > 0) gaining.add(record.userId);
        if (difference < 0) losing.add(record.userId);
      }
      [at, after] = records.length < TRIED_AT_ONCE ? [at + 1, 0] : [at, records.at(-1)?.id ?? after];
    }
  }
  for (const paper of byExam.values()) {
    if (paper.records === 0) continue;
    preview.records += paper.records;
    paper.averageBefore = Math.round((paper.averageBefore / paper.records) * 100) / 100;
    paper.averageAfter = Math.round((paper.averageAfter / paper.records) * 100) / 100;
    preview.papers.push(paper);
  }
  return { ...preview, students: students.size, gaining: gaining.size, losing: losing.size };
}

/** What one record gains; null: it does not have the question. */
function differenceOf(
  { before: was, after, content }: TouchedVersion,
  { graded, answers }: RecordToTry,
  questionId: number,
): number | null {
  const before: Graded | undefined = graded.get(questionId);
  if (!before) return null;
  const now = regraded(after, { before, was, answer: answers.get(questionId) ?? null, share: content.partial });
  return addPoints([now.earned ?? 0, -(before.earned ?? 0)]);
}

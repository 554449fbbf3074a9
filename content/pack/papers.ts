import { questionKey } from '#content/question/content-key.ts';
import { readSchoolKey } from '#content/question/question.ts';
import { countedRecords, paperKinds } from '#contract/values/exam.ts';
import type { RetakeRule } from '#rules/exam/retake.ts';
import { addPoints } from '#rules/exam/scoring.ts';
import { YamlMap, type YamlText } from './checked-yaml.ts';
import type { Mistake } from './mistake.ts';
import { type PackPaper, type PackQuestion, type PackReader, placeOf, type SheetName } from './reader.ts';

/** A question where a paper names it. */
interface NamedQuestion {
  text: NamedText;
  paper: PackPaper;
}

/** `text` of one from a spreadsheet is no key of a folder. */
type NamedText = Pick<YamlText, 'text' | 'complain'>;

/** Reads the papers into the reader, with their mistakes. */
export function readPapers(files: readonly YamlMap[], reader: PackReader): void {
  checkReserved(
    files.flatMap((file) => readPaper(file, reader)),
    reader,
  );
}

/** What a paper reserves may not be practised under another name: neither in an after-class practice nor as a question that reads the same. */
function checkReserved(named: readonly NamedQuestion[], { questions, cases }: PackReader): void {
  const told = (question: PackQuestion) => askedBy(question, cases);
  const reserving = new Map(named.flatMap(({ text, paper }) => (paper.reserved ? [[text.text, paper.key]] : [])));
  if (reserving.size === 0) return;
  const practised = new Map<string, string>();
  for (const question of questions.values())
    if (!reserving.has(question.key)) practised.set(told(question), question.key);
  for (const { text, paper } of named) {
    const by = reserving.get(text.text);
    if (by !== undefined && paper.kind === 'afterclass')
      text.complain(`试题 ${text.text} 由试卷 ${by} 保留（reserved），不能再放进课后练习`);
    const question = paper.reserved ? questions.get(text.text) : undefined;
    const same = question && practised.get(told(question));
    if (same) text.complain(`保留的试题 ${text.text} 与试题 ${same} 的题干、选项和材料相同，而 ${same} 会出现在练习里`);
  }
}

/** What a question asks, so that two that read the same have the same. */
export const askedBy = (
  { type, topic, options, caseKey }: PackQuestion,
  cases: ReadonlyMap<string, { text: string }>,
): string => questionKey(type, topic, options, caseKey === null ? '' : (cases.get(caseKey)?.text ?? ''));

/** Points of a paper that are not what it says of itself. @param sum those of its questions */
export function sumMistakes({ total, passScore, at }: PackPaper, sum: number): Mistake[] {
  const mistakes: Mistake[] = [];
  if (passScore !== null && sum > 0 && passScore > sum)
    mistakes.push({ ...at.passScore, reason: `及格分 ${passScore} 高于总分 ${sum}` });
  if (total !== null && sum > 0 && total !== sum) {
    const difference = addPoints([sum, -total]);
    mistakes.push({
      ...at.total,
      reason: `总分写的是 ${total}，各题分值合计 ${sum}，${difference > 0 ? '多' : '少'} ${Math.abs(difference)} 分`,
    });
  }
  return mistakes;
}

/** Reads one paper into the reader, with its mistakes. @returns the questions that it names and that exist */
function readPaper(map: YamlMap, reader: PackReader): NamedQuestion[] {
  const key = map.slug('key');
  if (key && reader.papers.has(key)) map.complain(`试卷 ${key} 写了两次`, 'key');
  const kind = map.oneOf('kind', paperKinds);
  const { sections, named } = readSections(map, reader);
  const paper: PackPaper = {
    key,
    kind: kind ?? 'mock',
    name: map.required('name', 100)?.text ?? '',
    course: known(map, 'course', reader.courses, '课程'),
    chapter: known(map, 'chapter', reader.chapters, '章节'),
    year: map.number('year', { min: 1977, max: 2100, step: 1 }),
    minutes: map.number('minutes', { min: 1, max: 1440, step: 1 }),
    partial: map.number('partial', { min: 0, max: 1, step: 0.0001 }),
    ...readShuffle(map),
    passScore: map.number('passScore', { min: 0, max: 10_000, step: 0.5 }),
    retake: readRetake(map),
    reserved: map.flag('reserved'),
    sections,
    total: map.number('total', { min: 0.5, max: 100_000, step: 0.5 }),
    at: {
      name: placeOf(map.remark('', 'name')),
      total: placeOf(map.remark('', 'total')),
      passScore: placeOf(map.remark('', 'passScore')),
    },
  };
  if (kind) checkKind(map, paper);
  if (paper.kind === 'afterclass' && paper.chapter) onePerChapter(map, paper, reader);
  const scores = paper.sections.flatMap((section) => section.questions.map(({ score }) => score));
  // Points that the bank knows alone are added up once it is asked.
  if (scores.every((score) => score !== null)) reader.mistakes.push(...sumMistakes(paper, addPoints(scores)));
  map.done();
  if (key) reader.papers.set(key, paper);
  return named.map((text) => ({ text, paper }));
}

/** Which fields each kind must or may have. */
function checkKind(map: YamlMap, { kind }: PackPaper): void {
  const has = (key: string) => map.keys().includes(key);
  const must = (key: string, name: string) => has(key) || map.complain(`${name}须写 ${key}`);
  const mustNot = (key: string, why: string) => has(key) && map.complain(why, key);
  if (kind === 'afterclass') {
    must('chapter', '课后练习');
    mustNot('minutes', '课后练习不限时，不写 minutes');
    mustNot('retakes', '课后练习随时可以再做，不写 retakes');
    mustNot('reserved', '课后练习本身就是练习，不写 reserved');
  } else {
    must('minutes', '模拟考试、历年真题和限时测试');
    mustNot('chapter', '只有课后练习写 chapter');
  }
  if (kind === 'past') must('year', '历年真题');
  else mustNot('year', '只有历年真题写 year');
}

/** The tree of 课后练习 has one line for each chapter: a second practice there could never be opened. */
function onePerChapter(map: YamlMap, { chapter }: PackPaper, reader: PackReader): void {
  const other = [...reader.papers.values()].find((paper) => paper.kind === 'afterclass' && paper.chapter === chapter);
  if (other) map.complain(`章节 ${chapter} 已有课后练习 ${other.key}，一个章节一份`, 'chapter');
}

function known(map: YamlMap, key: string, all: ReadonlySet<string>, what: string): string | null {
  const text = map.optional(key);
  if (text && !all.has(text.text)) text.complain(`没有${what} ${text.text.slice(0, 70)}`);
  return text?.text ?? null;
}

function readShuffle(map: YamlMap): { shuffleQuestions: boolean; shuffleOptions: boolean } {
  const shuffle = map.map('shuffle');
  const read = {
    shuffleQuestions: shuffle?.flag('questions') ?? false,
    shuffleOptions: shuffle?.flag('options') ?? false,
  };
  shuffle?.done();
  return read;
}

/** Which record counts is the first where nothing is said: after it the student has seen the keys (decision 020). */
function readRetake(map: YamlMap): RetakeRule {
  const retakes = map.map('retakes');
  const rule: RetakeRule = {
    most: retakes?.number('most', { min: 1, max: 1000, step: 1 }) ?? null,
    after: retakes?.number('after', { min: 1, max: 525_600, step: 1 }) ?? null,
    counts: (retakes?.keys().includes('counts') ? retakes.oneOf('counts', countedRecords) : null) ?? 'first',
  };
  retakes?.done();
  return rule;
}

function readSections(map: YamlMap, reader: PackReader): Pick<PackPaper, 'sections'> & { named: NamedText[] } {
  const seen = new Set<string>();
  const named: NamedText[] = [];
  const sections = map.maps('sections').map((section) => {
    const title = section.required('title', 200)?.text ?? '';
    const score = section.number('score', { min: 0.5, max: 100, step: 0.5 });
    const questions = section.textsAndMaps('questions').flatMap((key): PackPaper['sections'][number]['questions'] => {
      if (key instanceof YamlMap) {
        const sheetName = readSheetName(key, score);
        if (!sheetName) return [];
        const name = `编号 ${sheetName.schoolKey}`;
        const complain = (reason: string) => key.complain(reason);
        if (seen.has(name)) complain(`试题 ${name} 在这份试卷里出现了两次`);
        seen.add(name);
        named.push({ text: name, complain });
        return [sheetName];
      }
      const question = reader.questions.get(key.text);
      if (!question) key.complain(`没有试题 ${key.text.slice(0, 70)}`);
      else if (seen.has(key.text)) key.complain(`试题 ${key.text} 在这份试卷里出现了两次`);
      seen.add(key.text);
      if (question) named.push(key);
      return question ? [{ key: key.text, score: score ?? question.score }] : [];
    });
    if (!section.keys().includes('questions')) section.complain('没有写 questions');
    section.done();
    return { title, questions };
  });
  if (sections.length === 0) map.complain('试卷至少要有一个部分（sections）');
  return { sections, named };
}

/** A question of a spreadsheet, as `编号: DL-001`. */
function readSheetName(map: YamlMap, score: number | null): SheetName | null {
  const text = map.required('编号');
  map.done();
  if (!text) return null;
  const key = readSchoolKey(text.text);
  if (!key.ok) text.complain(key.why);
  return key.ok ? { schoolKey: key.value, score, at: placeOf(text.remark('')) } : null;
}

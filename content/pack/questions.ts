import { readJudgeAnswer, readLetters } from '#content/question/answer-key.ts';
import { sameOptions } from '#content/question/option-text.ts';
import { checkLetters, JUDGE_OPTIONS, LETTERS, readKnowledgePoint, TYPE_NAMES } from '#content/question/question.ts';
import { pointsFault, readPointText, shownPart } from '#content/question/scoring-points.ts';
import { isEmptyHtml } from '#content/rich-text/rich-text.ts';
import { isSelfScored, type QuestionType } from '#rules/exam/answer.ts';
import { type ScoringPoint, WEIGHT_STEP } from '#rules/exam/scoring-points.ts';
import type { YamlMap } from './checked-yaml.ts';
import { type PackReader, placeOf, rich } from './reader.ts';

const TYPES = { 判断: 1, 单选: 2, 多选: 3, 简答: 4, 不定项: 5, 自评简答: 8 } as const;
const TYPE_WORDS = Object.keys(TYPES) as (keyof typeof TYPES)[];

/** Reads one case into the reader. */
export function readCase(map: YamlMap, reader: PackReader): void {
  const key = map.slug('key');
  if (key && reader.cases.has(key)) map.complain(`材料 ${key} 写了两次`, 'key');
  const title = map.required('title', 200)?.text ?? '';
  const text = rich(reader, map.required('text', 100_000));
  map.done();
  if (key) reader.cases.set(key, { key, title, text });
}

/** Reads one question into the reader, with its mistakes. */
export function readQuestion(map: YamlMap, reader: PackReader): void {
  const key = map.slug('key');
  if (key && reader.questions.has(key)) map.complain(`试题 ${key} 写了两次，试题的 key 在整个课程包里不能重复`, 'key');
  const chapter = map.required('chapter');
  if (chapter && !reader.chapters.has(chapter.text)) chapter.complain(`没有章节 ${chapter.text.slice(0, 70)}`);
  const word = map.oneOf('type', TYPE_WORDS);
  const topicText = map.required('topic');
  const topic = rich(reader, topicText);
  if (topicText && isEmptyHtml(topic)) topicText.complain('题干没有可以显示的内容');
  const { options, rightAnswer } = readKey(map, reader, word ? TYPES[word] : null);
  const analysis = rich(reader, map.optional('analysis'));
  const score = map.number('score', { min: 0.5, max: 100, step: 0.5 });
  if (score === null && !map.keys().includes('score')) map.complain('没有写 score');
  const points = readPoints(map, reader, word ? TYPES[word] : null, score);
  const difficulty = map.number('difficulty', { min: 1, max: 5, step: 1 });
  const named = map.optional('knowledgePoint');
  const point = readKnowledgePoint(named?.text ?? '');
  if (!point.ok) named?.complain(point.why);
  const caseKey = map.optional('case');
  if (caseKey && !reader.cases.has(caseKey.text)) caseKey.complain(`没有材料 ${caseKey.text.slice(0, 70)}`);
  map.done();
  if (!key || !word || !chapter) return;
  reader.questions.set(key, {
    key,
    type: TYPES[word],
    topic,
    options,
    rightAnswer,
    analysis,
    score: score ?? 1,
    difficulty,
    knowledgePoint: point.ok && point.value !== '' ? point.value : null,
    points,
    chapter: chapter.text,
    caseKey: caseKey?.text ?? null,
    at: placeOf(map.remark('', 'key')),
  });
}

/** Options and answer, as the type asks for them; a question of unknown type is only looked over. */
function readKey(
  map: YamlMap,
  reader: PackReader,
  type: QuestionType | null,
): { options: Record<string, string>; rightAnswer: string } {
  const options = readOptions(map, reader);
  const answer = map.required('answer');
  const nothing = { options: {}, rightAnswer: '' };
  if (type === null) return nothing;
  const letters = Object.keys(options);
  if (type === 1 || isSelfScored(type)) {
    if (letters.length > 0) map.complain(`${TYPE_NAMES[type]}不写选项`, 'options');
    if (!answer) return nothing;
    if (isSelfScored(type)) {
      const rightAnswer = rich(reader, answer);
      if (isEmptyHtml(rightAnswer)) answer.complain('参考答案没有可以显示的内容');
      return { options: {}, rightAnswer };
    }
    const read = readJudgeAnswer(answer.text);
    if (!read.ok) answer.complain(read.why);
    return { options: { ...JUDGE_OPTIONS }, rightAnswer: read.ok ? read.value : '' };
  }
  const same = sameOptions(Object.fromEntries(Object.entries(options).filter(([, html]) => !isEmptyHtml(html))));
  if (same) map.complain(`选项${same[0]}和选项${same[1]}相同`, 'options');
  const complete = checkLetters(letters);
  if (!complete.ok) map.complain(complete.why, map.keys().includes('options') ? 'options' : undefined);
  if (!answer) return nothing;
  const read = readLetters(answer.text, type, letters);
  if (!read.ok) answer.complain(read.why);
  return {
    options: Object.fromEntries(
      LETTERS.flatMap((letter) => (options[letter] === undefined ? [] : [[letter, options[letter]]])),
    ),
    rightAnswer: read.ok ? read.value : '',
  };
}

/** The scoring points of a reference answer (采点), each with its weight. */
function readPoints(map: YamlMap, reader: PackReader, type: QuestionType | null, score: number | null): ScoringPoint[] {
  const points = map.maps('points').flatMap((point) => {
    const written = point.required('text');
    const weight = point.number('weight', { min: WEIGHT_STEP, max: 100, step: WEIGHT_STEP });
    if (weight === null && !point.keys().includes('weight')) point.complain('没有写 weight（这个采点的分值）');
    point.done();
    if (!written) return [];
    const read = readPointText(written.text);
    if (!read.ok) {
      written.complain(read.why);
      return [];
    }
    const text = rich(reader, written.with(shownPart(written.text, read.value)));
    if (isEmptyHtml(text)) written.complain('采点没有可以显示的内容');
    return weight === null ? [] : { text, weight, words: read.value.words };
  });
  if (points.length === 0) return [];
  const fault = pointsFault(points, score ?? Number.POSITIVE_INFINITY);
  if (fault) map.complain(fault, 'points');
  if (type !== null && !isSelfScored(type)) map.complain(`${TYPE_NAMES[type]}不写采点`, 'points');
  return points;
}

function readOptions(map: YamlMap, reader: PackReader): Record<string, string> {
  const options: Record<string, string> = {};
  const written = map.map('options');
  for (const letter of LETTERS) {
    const text = written?.optional(letter) ?? null;
    if (written?.saysNull(letter))
      written.complain('“null”在 YAML 里表示没有：要显示这个字请加引号，不要这个选项请删去', letter);
    if (!text) continue;
    options[letter] = rich(reader, text);
    if (isEmptyHtml(options[letter] ?? '')) text.complain('选项没有可以显示的内容');
  }
  written?.done();
  return options;
}

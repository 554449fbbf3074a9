import type { Checked } from '#content/checked.ts';
import { withoutOwnSigns, withoutOwnTags } from '#content/rich-text/html-tags.ts';
import { isEmptyHtml, richFromCell } from '#content/rich-text/rich-text.ts';
import { formatsFormulas, taggedRuns } from '#content/rich-text/tagged-runs.ts';
import { coveredText } from '#content/sheet/merged-cells.ts';
import { LONGEST_ALT } from '#content/sheet/picture-words.ts';
import type { Cell, Run, SheetRow } from '#content/sheet/sheet.ts';
import { controlsOf, unknownSigns, visibleText } from '#content/visible-text.ts';
import { isSelfScored, type QuestionType } from '#rules/exam/answer.ts';
import type { ScoringPoint } from '#rules/exam/scoring-points.ts';
import { undescribedOptions } from '#rules/exam/twin.ts';
import { readJudgeAnswer, readLetters } from './answer-key.ts';
import type { CellPictures } from './cell-pictures.ts';
import { looksLikeOneName, readChapterPath } from './chapter-path.ts';
import { questionKey } from './content-key.ts';
import type { CheckedRow } from './file-question.ts';
import { otherLetters, sameOptions, stripLetters } from './option-text.ts';
import { isDitto, namedMaterial, namedPicture } from './pointing-words.ts';
import {
  checkLetters,
  JUDGE_OPTIONS,
  LETTERS,
  readDifficulty,
  readKnowledgePoint,
  readSchoolKey,
  readScore,
  readType,
  TYPE_NAMES,
} from './question.ts';
import type { Column, Header } from './question-columns.ts';
import { HIDDEN_ROW, RowReasons, refuseLooks, refuseSurplus } from './row-reasons.ts';
import { pointsFault, readPointCell } from './scoring-points.ts';
import { refuseSwallowed } from './swallowed-row.ts';
import { answerInTopic, otherConclusion } from './told-answer.ts';

/** Points of a question whose row says none. */
const DEFAULT_SCORE = 1;
/** As long as an answer may be on the wire. */
const LONGEST_TEXT = 20_000;

const optionColumn = (letter: string): Column => `选项${letter}` as Column;

/** The columns that leave a gap between those of options that have a text; where nothing has one, that of the first. */
function gapsOf(letters: readonly (typeof LETTERS)[number][]): Column[] {
  const last = Math.max(1, LETTERS.indexOf(letters.at(-1) ?? 'A'));
  return LETTERS.slice(0, last + 1)
    .filter((letter) => !letters.includes(letter))
    .map(optionColumn);
}

/** Rows of one group may merge these cells; a merged 题干 or 答案 still belongs to its first row alone. */
const SHARED: readonly Column[] = ['题型', '章节', '难度', '分值', '材料', '知识点'];

/** What of a cell's text can be seen: one with a sign that shows as nothing looks empty, and is. */
const seen = (cell: Cell | undefined): string => (cell === undefined ? '' : visibleText(cell.text).trim());

/** Collects the reasons of one row while its cells are read. */
class RowReader {
  readonly why: RowReasons<Column>;
  readonly warnings: RowReasons<Column>;
  private readonly header: Header;
  private readonly cells: readonly (Cell | undefined)[];
  private readonly pictures: CellPictures;
  /** Whether a column shows a picture. */
  readonly pictured = new Set<Column>();
  /** What of the columns that were read lies under merged cells. */
  readonly covered = new Map<Column, string>();
  constructor(header: Header, cells: readonly (Cell | undefined)[], pictures: CellPictures) {
    this.header = header;
    this.cells = cells;
    this.pictures = pictures;
    this.why = new RowReasons(header.at);
    this.warnings = new RowReasons(header.at);
    const known = new Map([...header.at].map(([column, at]) => [at, column]));
    for (const [at, cell] of cells.entries())
      if (cell?.pictures && !cell.merged && !known.has(at))
        this.why.add('有图片，那一列不是试题的内容，请把图片移到题干、选项、解析或材料的单元格里', at);
  }

  private found(column: Column): Cell | undefined {
    const at = this.header.at.get(column);
    const cell = at === undefined ? undefined : this.cells[at];
    if (cell?.fault) this.why.add(`“${column}”${cell.fault}`, column);
    if (cell?.covered) this.covered.set(column, cell.covered);
    if (!cell?.merged || SHARED.includes(column)) return cell;
    if (seen(cell) !== '' || cell.pictures) this.belongsAbove(column);
    return undefined;
  }

  /** Says of a cell merged with that of a row above that it is not this row's, though it is seen beside it. A topic or an answer is missing then. */
  private belongsAbove(column: Column): void {
    if (column === '解析' || column === '采点')
      this.warnings.add(
        `“${column}”和上面的行合并了单元格，算上面那一行的，这一题没有；要共用请取消合并，每行写一遍`,
        column,
      );
    else if (column !== '题干' && column !== '答案')
      this.why.add(`“${column}”和上面的行合并了单元格，请取消合并，每行写一遍`, column);
  }

  private remark(column: Column, cell: Cell | undefined): void {
    if (cell?.merged) return;
    for (const remark of cell?.remarks ?? []) this.warnings.add(`“${column}”${remark}`, column);
  }

  /** A cell that is a word, a number or letters. */
  cell(column: Column): string {
    const cell = this.found(column);
    this.remark(column, cell);
    refuseLooks(this.why, column, cell);
    const unknown = unknownSigns(cell?.text ?? '');
    if (unknown !== null) this.warnings.add(`“${column}”：${unknown}`, column);
    // As it is written, so that a reason tells what stands there.
    const text = seen(cell) === '' ? '' : (cell?.text.trim() ?? '');
    this.written.set(column, text);
    return text;
  }

  /** A cell whose formatting stays, as tags of ours; '' when it has nothing but blanks. */
  formatted(column: Column): string {
    const cell = this.found(column);
    this.remark(column, cell);
    if (!cell || seen(cell) === '') return '';
    if (!cell.runs) return withoutOwnSigns(cell.text);
    if (formatsFormulas(cell.runs))
      this.warnings.add(
        `“${column}”的公式里有字设了格式（上标、下标、下划线等），学员看不到；上标请写成 ^{…}，下标请写成 _{…}`,
        column,
      );
    return taggedRuns(cell.runs);
  }

  /** A cell in its formatted pieces. */
  runs(column: Column): readonly Run[] {
    const cell = this.found(column);
    this.remark(column, cell);
    if (cell?.pictures) this.why.add(`“${column}”里有图片，这一列只能写字`, column);
    return cell?.runs ?? [{ text: cell?.text ?? '', formats: [] }];
  }

  private get isPictured(): boolean {
    return this.cells.some((cell) => cell?.pictures !== undefined);
  }

  /** What was read of a column, as it is written. */
  readonly written = new Map<Column, string>();

  rich(column: Column, text: string): string {
    this.written.set(column, text);
    if (DATA_PICTURE.test(text)) {
      this.why.add(`“${column}”里有写成文字的图片（data:…），读不了，请把图片本身插入单元格`, column);
      return '';
    }
    if (text.length > LONGEST_TEXT) {
      this.why.add(`“${column}”太长（${text.length} 个字符），最多 ${LONGEST_TEXT} 个`, column);
      return '';
    }
    const controls = controlsOf(text);
    if (controls.length > 0)
      this.warnings.add(
        `“${column}”里有看不见的控制字符（${controls.slice(0, 3).join('、')}），学员看不到；公式里的 \\f、\\b 在导出时常会变成它们，请检查`,
        column,
      );
    const { html, missing, faults, warnings } = richFromCell(text, () => null, false, this.isPictured);
    for (const warning of warnings) this.warnings.add(`“${column}”：${warning}`, column);
    for (const fault of faults) this.why.add(`“${column}”：${fault}`, column);
    for (const src of missing) {
      this.why.add(
        `“${column}”里有图片的网址（${src.slice(0, 40) || '没有地址'}），不会从别的网站取图片，请把图片本身插入单元格`,
        column,
      );
    }
    return isEmptyHtml(html) ? '' : html;
  }

  /** A text with the pictures of its cell below it. */
  illustrated(column: Column, text: string): string {
    const html = this.rich(column, text);
    const shown: string[] = [];
    for (const picture of this.found(column)?.pictures ?? []) {
      const read = this.pictures.htmlOf(picture);
      if (picture.reaches !== undefined)
        this.warnings.add(`“${column}”上的图片伸到了第 ${picture.reaches} 行，算作左上角所在的这一行的`, column);
      if (picture.altered)
        this.warnings.add(`“${column}”的图片在表格里改过颜色、透明度或形状，学员看到的是原图`, column);
      if (picture.words.cut)
        this.warnings.add(`“${column}”的图片的替代文字超过 ${LONGEST_ALT} 个字符，只取了开头`, column);
      if (read.ok) shown.push(read.value);
      else this.why.add(`“${column}”：${read.why}`, column);
    }
    if (shown.length === 0) return html;
    this.pictured.add(column);
    return [html, ...shown].filter((part) => part !== '').join('<br />');
  }

  /** A word of the header that names no column. */
  unusedColumn(word: RegExp): string | undefined {
    return this.header.unused.find((one) => word.test(one));
  }

  hasFault(column: Column): boolean {
    return this.why.names(column);
  }

  /** @param about the columns that were read */
  take<T>(read: Checked<T>, otherwise: T, ...about: readonly Column[]): T {
    if (read.ok) return read.value;
    this.why.add(read.why, ...about);
    return otherwise;
  }

  /** Options that have a text, by letter. */
  options(): Record<string, string> {
    const written = LETTERS.map((letter) => [letter, this.formatted(`选项${letter}`)] as const).filter(
      ([letter, text]) => text !== '' || this.found(optionColumn(letter))?.pictures !== undefined,
    );
    const surplus = this.header.surplus.filter((at) => seen(this.cells[at]) !== '');
    if (surplus.length > 0) this.why.add('选项太多，最多八个（A 到 H）', ...surplus);
    const options = Object.fromEntries(written);
    for (const [letter, why] of otherLetters(options, (one) => this.found(optionColumn(one))?.pictures !== undefined))
      this.warnings.add(why, optionColumn(letter));
    return stripLetters(options);
  }
}

/** Whether a row has nothing of its own but pictures: no text beyond what merged cells lend it. What lies under them is there, and has to be told. */
export const isEmptyRow = (cells: readonly (Cell | undefined)[]): boolean =>
  cells.every((cell) => !cell || (!cell.covered && (cell.merged || (seen(cell) === '' && !cell.fault))));

/** A second option in a text. */
const SECOND_OPTION = /(?:^|[\s；;，,。])[(（]?[BbＢ]\s*[.．、:：)）]/;

/** One column for all options, as other platforms have it. */
const ONE_OPTION_COLUMN = /^(?:备?选项|选项内容|答案选项|options?)$/i;

/** Where the options of a question seem to be that has fewer than two, as the end of a sentence; '': nobody knows. @param topic as it is written */
function elsewhere(row: RowReader, optionA: string | undefined, topic: string): string {
  const cells = '请每个选项写一格，放在 选项A、选项B … 各列';
  if (optionA !== undefined)
    return SECOND_OPTION.test(withoutOwnTags(optionA)) ? `；这一格里像是写了不止一个选项，${cells}` : '';
  const column = row.unusedColumn(ONE_OPTION_COLUMN);
  if (column !== undefined) return `；“${column}”一列没有读取，${cells}`;
  return SECOND_OPTION.test(withoutOwnTags(topic)) ? `；题干里像是写着选项，${cells}` : '';
}

/** Options and answer, as the type asks for them. @param topic as it is written */
function readAnswer(
  row: RowReader,
  type: QuestionType,
  topic: string,
): { options: Record<string, string>; rightAnswer: string } {
  const written = row.options();
  if (isSelfScored(type)) {
    if (Object.keys(written).length > 0)
      row.why.add(`${TYPE_NAMES[type]}不能有选项，题型或选项列写错了`, ...Object.keys(written).map(optionColumn));
    const rightAnswer = row.illustrated('答案', row.formatted('答案'));
    if (rightAnswer === '') row.why.add('没有写参考答案', '答案');
    return { options: {}, rightAnswer };
  }
  const answer = row.cell('答案');
  if (type === 1) {
    return { options: { ...JUDGE_OPTIONS }, rightAnswer: row.take(readJudgeAnswer(answer, written), 'A', '答案') };
  }
  const options = Object.fromEntries(
    Object.entries(written)
      .map(([letter, text]) => [letter, row.illustrated(optionColumn(letter), text)] as const)
      .filter(([, html]) => html !== ''),
  );
  // An option that cannot be read has said so itself.
  const letters = LETTERS.filter((letter) => options[letter] || row.hasFault(`选项${letter}`));
  const checked = checkLetters(letters);
  const complete = row.take(
    checked.ok || letters.length > 1 ? checked : { ok: false, why: checked.why + elsewhere(row, written.A, topic) },
    [],
    ...gapsOf(letters),
  );
  // One picture twice is one option to who sees it, whatever is said of it.
  const same = sameOptions(undescribedOptions(options));
  if (same) row.why.add(`选项${same[0]}和选项${same[1]}相同`, optionColumn(same[0]), optionColumn(same[1]));
  const rightAnswer = complete.length > 0 ? row.take(readLetters(answer, type, letters, options), '', '答案') : '';
  return { options, rightAnswer };
}

/** The scoring points of the reference answer, one a line (docs/guide/question-spreadsheet.md). */
function readPoints(row: RowReader, type: QuestionType | 0, score: number): ScoringPoint[] {
  const { points, why } = readPointCell(row.runs('采点'));
  if (type !== 0 && !isSelfScored(type)) {
    if (points.length + why.length > 0)
      row.why.add(`${TYPE_NAMES[type]}不能有采点，只有简答题和自评简答题可以`, '采点');
    return [];
  }
  const read = points.map(({ runs, words, weight }) => ({
    text: row.rich('采点', taggedRuns(runs)),
    words,
    weight,
  }));
  if (read.some(({ text }) => text === '') && !row.hasFault('采点'))
    row.why.add('有一个采点没有可以显示的内容', '采点');
  for (const reason of why) row.why.add(reason, '采点');
  const fault = pointsFault(read, score);
  if (fault) row.why.add(fault, '采点');
  return read;
}

/** A picture whose bytes are written into the tag, as web editors do; a few of them are an example. */
const DATA_PICTURE = /<img\b[^<>]{0,300}?\ssrc\s*=\s*(?:["']\s*)?data:image\/[^"'\s<>]{200}/i;

/** What a row says of pictures that are not there. */
function warnOfMissingPictures({ pictured, written, warnings }: RowReader): void {
  if (pictured.size > 0) return;
  for (const column of ['题干', '材料'] as const) {
    const word = namedPicture(written.get(column) ?? '');
    if (word) warnings.add(`“${column}”说到“${word}”，但这一题没有图片`, column);
  }
}

/** Refuses a case, a chapter or a knowledge point that would be called 同上; of an analysis and a reference answer it is said. */
function refuseDittos(reader: RowReader): void {
  for (const column of ['材料', '章节', '知识点', '解析', '答案'] as const) {
    const text = visibleText(withoutOwnTags(reader.written.get(column) ?? '')).trim();
    if (!isDitto(text)) continue;
    if (column === '解析' || column === '答案')
      reader.warnings.add(`“${column}”只写了“${text}”，学员单独看这一题时看不到上面的内容；请写全`, column);
    else reader.why.add(`“${column}”写的是“${text}”，不会读成上一行的内容；请把内容写全，或和上一行合并单元格`, column);
  }
}

/** Reads one row that is not empty into a question, or into every reason why it cannot be one. */
export function readRow(
  { sheet, row, cells, drawn, hidden }: SheetRow,
  header: Header,
  pictures: CellPictures,
): CheckedRow {
  const reader = new RowReader(header, cells, pictures);
  if (hidden) reader.warnings.add(HIDDEN_ROW);
  if (drawn) reader.why.add(drawn);
  refuseSurplus(reader.why, { sheet, cells }, header.width);
  refuseSwallowed(reader.why, { sheet, row, cells }, header);
  const type = reader.take<QuestionType | 0>(readType(reader.cell('题型')), 0, '题型');
  const source = reader.formatted('题干');
  const topic = reader.illustrated('题干', source);
  if (topic === '' && !reader.hasFault('题干')) reader.why.add('没有写题干', '题干');
  const { options, rightAnswer } = type === 0 ? { options: {}, rightAnswer: '' } : readAnswer(reader, type, source);
  const [score, difficulty, chapter] = [reader.cell('分值'), reader.cell('难度'), reader.cell('章节')];
  const point = reader.take(readKnowledgePoint(visibleText(reader.cell('知识点'))), '', '知识点');
  const analysis = reader.illustrated('解析', reader.formatted('解析'));
  const material = reader.illustrated('材料', reader.formatted('材料'));
  const worth = score === '' ? { ok: true as const, value: DEFAULT_SCORE } : readScore(score);
  const rest = {
    analysis,
    material,
    score: reader.take(worth, DEFAULT_SCORE, '分值'),
    // Against points that cannot be read nothing is held.
    points: readPoints(reader, type, worth.ok ? worth.value : Number.POSITIVE_INFINITY),
    difficulty: difficulty === '' ? null : reader.take<number | null>(readDifficulty(difficulty), null, '难度'),
    knowledgePoint: point === '' ? null : point,
    chapter: chapter === '' ? [] : reader.take(readChapterPath(chapter), [], '章节'),
    schoolKey: reader.take(readSchoolKey(visibleText(reader.cell('编号'))), '', '编号') || null,
  };
  if (looksLikeOneName(chapter))
    reader.warnings.add(
      `章节“${chapter.slice(0, 60)}”按 ${rest.chapter.length} 级读：${rest.chapter.join('、')}；如果“/”是名称的一部分，请写成“\\/”`,
      '章节',
    );
  refuseDittos(reader);
  const refused = type === 0 || reader.why.size > 0;
  for (const [column, text] of reader.covered)
    (refused ? reader.why : reader.warnings).add(`“${column}”${coveredText(text)}`, column);
  if (refused) {
    return {
      ok: false,
      sheet,
      row,
      why: reader.why.sentences,
      columns: reader.why.columns,
      topic: withoutOwnTags(source).trim().replace(/\s+/g, ' ').slice(0, 60),
    };
  }
  warnOfMissingPictures(reader);
  const told = isSelfScored(type)
    ? null
    : answerInTopic(visibleText(withoutOwnTags(source)), type, rightAnswer, Object.keys(options));
  if (told !== null) reader.warnings.add(`“题干”${told}`, '题干');
  const plainOf = (column: Column) => visibleText(withoutOwnTags(reader.written.get(column) ?? ''));
  const other = type === 1 || isSelfScored(type) ? null : otherConclusion(plainOf('解析'), rightAnswer);
  if (other !== null) reader.warnings.add(`“解析”${other}`, '解析');
  const named = material === '' && !reader.pictured.has('题干') ? namedMaterial(source) : undefined;
  if (named !== undefined)
    reader.warnings.add(`“题干”说到“${named}”，但这一题没有材料；几道题共用的材料每行都要写，或合并单元格`, '题干');
  return {
    ok: true,
    sheet,
    row,
    warnings: reader.warnings.sentences,
    columns: reader.warnings.columns,
    pictures: [],
    question: { key: questionKey(type, topic, options, material), type, topic, options, rightAnswer, ...rest },
  };
}

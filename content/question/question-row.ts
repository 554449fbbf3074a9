import type { Checked } from '#content/checked.ts';
import { withoutOwnSigns, withoutOwnTags } from '#content/rich-text/html-tags.ts';
import { isEmptyHtml, richFromCell } from '#content/rich-text/rich-text.ts';
import { taggedRuns } from '#content/rich-text/tagged-runs.ts';
import type { Cell, Run, SheetRow } from '#content/sheet/sheet.ts';
import { visibleText } from '#content/visible-text.ts';
import { isSelfScored, type QuestionType } from '#rules/exam/answer.ts';
import type { ScoringPoint } from '#rules/exam/scoring-points.ts';
import { readJudgeAnswer, readLetters } from './answer-key.ts';
import type { CellPictures } from './cell-pictures.ts';
import { questionKey } from './content-key.ts';
import type { CheckedRow } from './file-question.ts';
import { sameOptions, stripLetters } from './option-text.ts';
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
import { pointsFault, readPointCell } from './scoring-points.ts';

/** Points of a question whose row says none. */
const DEFAULT_SCORE = 1;
const LONGEST_NAME = 100;
/** As long as an answer may be on the wire. */
const LONGEST_TEXT = 20_000;

/** Rows of one group may merge these cells; a merged 题干 or 答案 still belongs to its first row alone. */
const SHARED: readonly Column[] = ['题型', '章节', '难度', '分值', '材料', '知识点'];

/** A chapter path such as 第一章/第一节/极限: one to three names. A separator behind `\` is a sign of its name (`TCP\/IP协议`). */
function readChapterPath(text: string): Checked<string[]> {
  const names = visibleText(text)
    .split(/(?<!\\)[/／>＞]/)
    .map((name) =>
      name
        .replace(/\\([/／>＞])/g, '$1')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  while (names.at(-1) === '') names.pop();
  if (names[0] === '') names.shift();
  if (names.length > 3)
    return {
      ok: false,
      why: `章节“${text.trim().slice(0, 60)}”有 ${names.length} 级，最多三级，写法如 第一章/第一节/极限；名称里本来就有的“/”写成“\\/”`,
    };
  if (names.includes('')) return { ok: false, why: `章节“${text.trim().slice(0, 60)}”里有一级是空的` };
  const long = names.find((name) => name.length > LONGEST_NAME);
  if (long) return { ok: false, why: `章节名“${long.slice(0, 20)}…”太长，每级最多 ${LONGEST_NAME} 个字` };
  return { ok: true, value: names };
}

/** Two words of Latin letters about a separator: rather one name (TCP/IP, I/O) than two levels. */
const ONE_NAME = /(?<!\\)(?<=[a-zA-Z])[/／](?=[a-zA-Z])/;

/** Collects the reasons of one row while its cells are read. */
class RowReader {
  readonly why: string[] = [];
  readonly warnings: string[] = [];
  private readonly header: Header;
  private readonly cells: readonly (Cell | undefined)[];
  private readonly pictures: CellPictures;
  /** Whether a column shows a picture. */
  readonly pictured = new Set<Column>();
  constructor(header: Header, cells: readonly (Cell | undefined)[], pictures: CellPictures) {
    this.header = header;
    this.cells = cells;
    this.pictures = pictures;
    const known = new Map([...header.at].map(([column, at]) => [at, column]));
    for (const [at, cell] of cells.entries())
      if (cell?.pictures && !cell.merged && !known.has(at))
        this.why.push(`第 ${at + 1} 列上有图片，那一列不是试题的内容，请把图片移到题干、选项、解析或材料的单元格里`);
  }

  private found(column: Column): Cell | undefined {
    const at = this.header.at.get(column);
    const cell = at === undefined ? undefined : this.cells[at];
    if (cell?.fault) this.why.push(`“${column}”${cell.fault}`);
    return cell?.merged && !SHARED.includes(column) ? undefined : cell;
  }

  /** A cell that is a word, a number or letters, where words struck out cannot be shown as such. */
  cell(column: Column): string {
    const cell = this.found(column);
    if (cell?.pictures) this.why.push(`“${column}”里有图片，这一列只能写字`);
    if (cell?.runs?.some(({ formats }) => formats.includes('s')))
      this.why.push(`“${column}”里有加了删除线的字，请删掉它们，或取消删除线`);
    return cell?.text.trim() ?? '';
  }

  /** A cell whose formatting stays, as tags of ours; '' when it has nothing but blanks. */
  formatted(column: Column): string {
    const cell = this.found(column);
    if (!cell || cell.text.trim() === '') return '';
    if (cell.phonetic) this.warnings.push(`“${column}”的字上方有拼音（注音），学员看不到；要紧的请写进文字里`);
    if (cell.coloured)
      this.warnings.push(`“${column}”里有一部分字是别的颜色，学员看到的没有颜色；要区分它们请用加粗或下划线`);
    return cell.runs ? taggedRuns(cell.runs) : withoutOwnSigns(cell.text);
  }

  /** A cell in its formatted pieces. */
  runs(column: Column): readonly Run[] {
    const cell = this.found(column);
    if (cell?.pictures) this.why.push(`“${column}”里有图片，这一列只能写字`);
    return cell?.runs ?? [{ text: cell?.text ?? '', formats: [] }];
  }

  /** What was read of a column, as it is written. */
  readonly written = new Map<Column, string>();

  rich(column: Column, text: string): string {
    this.written.set(column, text);
    if (text.length > LONGEST_TEXT) {
      this.why.push(`“${column}”太长（${text.length} 个字符），最多 ${LONGEST_TEXT} 个`);
      return '';
    }
    const { html, missing, faults, warnings } = richFromCell(text, () => null);
    for (const warning of warnings) this.warnings.push(`“${column}”：${warning}`);
    for (const fault of faults) this.why.push(`“${column}”：${fault}`);
    for (const src of missing) {
      this.why.push(
        `“${column}”里有图片的网址（${src.slice(0, 40) || '没有地址'}），不会从别的网站取图片，请把图片本身插入单元格`,
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
        this.warnings.push(`“${column}”上的图片伸到了第 ${picture.reaches} 行，算作左上角所在的这一行的`);
      if (read.ok) shown.push(read.value);
      else this.why.push(`“${column}”：${read.why}`);
    }
    if (shown.length === 0) return html;
    this.pictured.add(column);
    return [html, ...shown].filter((part) => part !== '').join('<br />');
  }

  hasFault(column: Column): boolean {
    return this.why.some((why) => why.startsWith(`“${column}”`));
  }

  take<T>(read: Checked<T>, otherwise: T): T {
    if (read.ok) return read.value;
    this.why.push(read.why);
    return otherwise;
  }

  /** Options that have a text, by letter. */
  options(): Record<string, string> {
    const written = LETTERS.map((letter) => [letter, this.formatted(`选项${letter}`)] as const).filter(
      ([letter, text]) => text !== '' || this.found(`选项${letter}` as Column)?.pictures !== undefined,
    );
    const looks = written.map(([letter]) => this.found(`选项${letter}` as Column)?.look ?? '');
    if (new Set(looks).size > 1)
      for (const [at, [letter]] of written.entries())
        if (looks[at])
          this.warnings.push(
            `“选项${letter}”整格是${looks[at]}，别的选项不是；学员看到的都一样，要区分它们请只给其中的字加格式`,
          );
    if (this.header.surplus.some((at) => this.cells[at]?.text.trim())) this.why.push('选项太多，最多八个（A 到 H）');
    return stripLetters(Object.fromEntries(written));
  }
}

/** Whether a row has nothing of its own but pictures: no text beyond what merged cells lend it. */
export const isEmptyRow = (cells: readonly (Cell | undefined)[]): boolean =>
  cells.every((cell) => !cell || cell.merged || (cell.text.trim() === '' && !cell.fault));

/** Options and answer, as the type asks for them. */
function readAnswer(row: RowReader, type: QuestionType): { options: Record<string, string>; rightAnswer: string } {
  const written = row.options();
  if (isSelfScored(type)) {
    if (Object.keys(written).length > 0) row.why.push(`${TYPE_NAMES[type]}不能有选项，题型或选项列写错了`);
    const rightAnswer = row.illustrated('答案', row.formatted('答案'));
    if (rightAnswer === '') row.why.push('没有写参考答案');
    return { options: {}, rightAnswer };
  }
  const answer = row.cell('答案');
  if (type === 1) {
    return { options: { ...JUDGE_OPTIONS }, rightAnswer: row.take(readJudgeAnswer(answer, written), 'A') };
  }
  const options = Object.fromEntries(
    Object.entries(written)
      .map(([letter, text]) => [letter, row.illustrated(`选项${letter}` as Column, text)] as const)
      .filter(([, html]) => html !== ''),
  );
  // An option that cannot be read has said so itself.
  const letters = LETTERS.filter((letter) => options[letter] || row.hasFault(`选项${letter}`));
  const complete = row.take(checkLetters(letters), []);
  const same = sameOptions(options);
  if (same) row.why.push(`选项${same[0]}和选项${same[1]}相同`);
  const rightAnswer = complete.length > 0 ? row.take(readLetters(answer, type, letters, options), '') : '';
  return { options, rightAnswer };
}

/** The scoring points of the reference answer, one a line (docs/guide/question-spreadsheet.md). */
function readPoints(row: RowReader, type: QuestionType | 0, score: number): ScoringPoint[] {
  const { points, why } = readPointCell(row.runs('采点'));
  if (type !== 0 && !isSelfScored(type)) {
    if (points.length + why.length > 0) row.why.push(`${TYPE_NAMES[type]}不能有采点，只有简答题和自评简答题可以`);
    return [];
  }
  row.why.push(...why);
  const read = points.map(({ runs, words, weight }) => ({
    text: row.rich('采点', taggedRuns(runs)),
    words,
    weight,
  }));
  if (read.some(({ text }) => text === '') && !row.hasFault('采点')) row.why.push('有一个采点没有可以显示的内容');
  const fault = pointsFault(read, score);
  if (fault) row.why.push(fault);
  return read;
}

/** Words that point at a picture. */
const NAMES_PICTURE =
  /(?:如|见|下|上|左|右|附|据|由|观察|根据|结合)(?:[下上左右附示此该]?)图|图(?:中|示|所示|[\dＡ-Ｚ①-⑩甲乙丙丁])/;

/** What a row says of pictures that are not there. */
function missingPictures({ pictured, written }: RowReader): string[] {
  if (pictured.size > 0) return [];
  const warnings: string[] = [];
  for (const column of ['题干', '材料'] as const) {
    const word = NAMES_PICTURE.exec(written.get(column) ?? '')?.[0];
    if (word) warnings.push(`“${column}”说到“${word}”，但这一题没有图片`);
  }
  return warnings;
}

/** Reads one row that is not empty into a question, or into every reason why it cannot be one. */
export function readRow(
  { sheet, row, cells, drawn, hidden }: SheetRow,
  header: Header,
  pictures: CellPictures,
): CheckedRow {
  const reader = new RowReader(header, cells, pictures);
  if (hidden) reader.warnings.push('这一行在表格里是隐藏的（或被筛选掉了），照样导入；不要它请删掉这一行');
  if (drawn) reader.why.push(drawn);
  const type = reader.take<QuestionType | 0>(readType(reader.cell('题型')), 0);
  const source = reader.formatted('题干');
  const topic = reader.illustrated('题干', source);
  if (topic === '' && !reader.hasFault('题干')) reader.why.push('没有写题干');
  const { options, rightAnswer } = type === 0 ? { options: {}, rightAnswer: '' } : readAnswer(reader, type);
  const [score, difficulty, chapter] = [reader.cell('分值'), reader.cell('难度'), reader.cell('章节')];
  const point = reader.take(readKnowledgePoint(visibleText(reader.cell('知识点'))), '');
  const analysis = reader.illustrated('解析', reader.formatted('解析'));
  const material = reader.illustrated('材料', reader.formatted('材料'));
  const worth = score === '' ? { ok: true as const, value: DEFAULT_SCORE } : readScore(score);
  const rest = {
    analysis,
    material,
    score: reader.take(worth, DEFAULT_SCORE),
    // Against points that cannot be read nothing is held.
    points: readPoints(reader, type, worth.ok ? worth.value : Number.POSITIVE_INFINITY),
    difficulty: difficulty === '' ? null : reader.take<number | null>(readDifficulty(difficulty), null),
    knowledgePoint: point === '' ? null : point,
    chapter: chapter === '' ? [] : reader.take(readChapterPath(chapter), []),
    schoolKey: reader.take(readSchoolKey(visibleText(reader.cell('编号'))), '') || null,
  };
  if (ONE_NAME.test(chapter))
    reader.warnings.push(
      `章节“${chapter.slice(0, 60)}”按 ${rest.chapter.length} 级读：${rest.chapter.join('、')}；如果“/”是名称的一部分，请写成“\\/”`,
    );
  if (type === 0 || reader.why.length > 0) {
    return {
      ok: false,
      sheet,
      row,
      why: [...new Set(reader.why)],
      topic: withoutOwnTags(source).trim().replace(/\s+/g, ' ').slice(0, 60),
    };
  }
  return {
    ok: true,
    sheet,
    row,
    warnings: [...new Set([...reader.warnings, ...missingPictures(reader)])],
    pictures: [],
    question: { key: questionKey(type, topic, options, material), type, topic, options, rightAnswer, ...rest },
  };
}

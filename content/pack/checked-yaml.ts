import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { visibleText } from '#content/visible-text.ts';
import type { Mistake } from './mistake.ts';

const SYNTAX = new Map([
  ['DUPLICATE_KEY', '同一个键写了两次'],
  ['TAB_AS_INDENT', '缩进不能用制表符，请用空格'],
  ['BAD_INDENT', '缩进不正确'],
  ['MISSING_CHAR', '缺少字符（引号、括号或冒号后的空格）'],
  ['BLOCK_AS_IMPLICIT_KEY', '一行里出现了两个冒号，含冒号的文字请加引号'],
  ['MULTILINE_IMPLICIT_KEY', '键写成了多行，可能少了冒号或引号'],
  ['BAD_ALIAS', '引用（*）指向不存在的锚点'],
  ['UNEXPECTED_TOKEN', '出现了多余的符号'],
  ['BAD_DQ_ESCAPE', '双引号里的反斜杠不是合法的转义，公式请用单引号或 | 多行写法'],
  ['BAD_SCALAR_START', '文字以特殊符号开头，请加引号'],
  ['IMPOSSIBLE', '结构无法识别'],
  ['RESOURCE_EXHAUSTION', '嵌套太深'],
  ['MULTIPLE_DOCS', '一个文件里有几份内容（用 --- 分开的），请每份一个文件'],
  ['MULTIPLE_ANCHORS', '一处有两个锚点（&）'],
  ['MULTIPLE_TAGS', '一处有两个类型标记（!）'],
  ['TAG_RESOLVE_FAILED', '不认识的类型标记（!），以“!”开头的文字请加引号'],
  ['BAD_DIRECTIVE', '以“%”开头的文字请加引号'],
  ['COMMENT_SPACE', '“#”前面要有空格；含“#”的文字请加引号'],
  ['KEY_OVER_1024_CHARS', '键太长，可能少了引号'],
]);

/** Of one file, what is told: a file of another kind has one in every line. */
const MOST_SYNTAX_ERRORS = 50;

/** References in one file; each stands for what its anchor holds, so few of them can stand for very much. */
const MOST_ALIASES = 1000;

/** What LaTeX commands leave behind a `\n`, `\t` or `\r` that is read as a line end or a tab. */
const LATEX_REST: Readonly<Record<string, RegExp>> = {
  n: /^(?:abla|eq|eg|ot|otin|u|mid|leq|geq|i|exists|parallel|less|sim|subset\w*|ormalsize|ewline)$/,
  t: /^(?:heta|imes|ext(?:bf|rm|it|sf|style|color)?|binom|herefore|anh?|au|o|op|riangle\w*|frac|ilde|hinspace)$/,
  r: /^(?:ho|ight\w*|ceil|floor|angle|m|vert)$/,
};
/** What begins and ends a formula, as it is written between double quotes. */
const FORMULA_SIGN = /\$|\\\\[()[\]]/g;

/** The first escape between double quotes that was meant as a command of LaTeX and is read as a sign that nobody sees: `"\frac"`. @param raw as it is written */
function lostCommand(raw: string): string | null {
  const lastSign = raw.lastIndexOf('$');
  let [from, dollars, brackets] = [0, false, false];
  for (const { 1: sign = '', 2: letters = '', index } of raw.matchAll(/\\([\s\S])([a-zA-Z]*)/g)) {
    for (const [one] of raw.slice(from, index).matchAll(FORMULA_SIGN))
      if (one === '$') dollars = !dollars;
      else brackets = /[([]$/.test(one);
    from = index;
    if ('abefvLNP'.includes(sign) && letters !== '') return `\\${sign}${letters}`;
    // A line end or a tab is one outside of formulas: `"cost $3\ni am"`.
    const isInside = (dollars && lastSign > index) || brackets;
    if (isInside && LATEX_REST[sign]?.test(letters)) return `\\${sign}${letters}`;
  }
  return null;
}

/** A YAML file under check. It never throws: mistakes are collected, and what is missing reads as empty. */
export class YamlFile {
  readonly mistakes: Mistake[];
  readonly name: string;
  private readonly lines = new LineCounter();
  private readonly document: Document;
  private readonly source: string;
  private tooMuch = false;
  /** What each alias stands for; the library would search the whole file for each. */
  private readonly anchored = new Map<Alias, Node | undefined>();

  constructor(name: string, source: string, mistakes: Mistake[]) {
    this.name = name;
    this.mistakes = mistakes;
    this.source = source;
    this.document = parseDocument(source, { lineCounter: this.lines, prettyErrors: false, logLevel: 'error' });
    for (const error of this.document.errors.slice(0, MOST_SYNTAX_ERRORS)) {
      const { line } = this.lines.linePos(error.pos[0]);
      mistakes.push({
        file: name,
        line,
        where: '',
        reason: `YAML 写法有误：${SYNTAX.get(error.code) ?? error.message.split('\n')[0]}`,
      });
    }
    this.findAnchors();
  }

  private findAnchors(): void {
    const anchors = new Map<string, Node>();
    visit(this.document, {
      Node: (_key, node) => {
        if (isAlias(node)) this.anchored.set(node, anchors.get(node.source));
        else if (node.anchor !== undefined) anchors.set(node.anchor, node);
        if (this.anchored.size <= MOST_ALIASES) return undefined;
        this.complain(node, '', `引用（*）太多，一个文件最多 ${MOST_ALIASES} 处`);
        this.tooMuch = true;
        return visit.BREAK;
      },
    });
  }

  /** The file's outermost mapping; null (and a mistake) when there is none. */
  root(): YamlMap | null {
    if (this.document.errors.length > 0 || this.tooMuch) return null;
    const node = this.document.contents;
    if (isMap(node)) return new YamlMap(this, node, '');
    this.complain(node, '', node === null ? '文件是空的' : '文件的最外层应当是“键: 值”');
    return null;
  }

  complain(node: Node | null | undefined, where: string, reason: string): void {
    this.mistakes.push(this.remark(node, where, reason));
  }

  /** Something to say of a place. */
  remark(node: Node | null | undefined, where: string, reason: string): Mistake {
    const start = node?.range?.[0];
    return { file: this.name, line: start === undefined ? 1 : this.lines.linePos(start).line, where, reason };
  }

  /** A scalar as it is written, with its quotation marks. */
  written({ range }: Node): string {
    return range ? this.source.slice(range[0], range[1]) : '';
  }

  /** The comment behind a scalar on its line; '': there is none. */
  commentBehind({ range }: Node): string {
    return range
      ? (/^[ \t]+#[ \t]*([^\r\n]*)/.exec(this.source.slice(range[1], range[1] + 200))?.[1] ?? '').trim()
      : '';
  }

  /** Follows an alias to what it stands for. */
  solid(node: unknown): Node | null {
    if (isAlias(node)) return this.anchored.get(node) ?? null;
    return isMap(node) || isSeq(node) || isScalar(node) ? node : null;
  }
}

/** A scalar with its place, so that later checks can complain about it. */
export class YamlText {
  readonly text: string;
  private readonly file: YamlFile;
  private readonly node: Node;
  readonly where: string;
  constructor(file: YamlFile, node: Node, where: string, text: string) {
    this.file = file;
    this.node = node;
    this.where = where;
    this.text = text;
  }
  complain(reason: string): void {
    this.file.complain(this.node, this.where, reason);
  }
  /** What its author wrote behind `#` on its line, which YAML takes for a comment: `C 语言 #1`. */
  get comment(): string {
    return isScalar(this.node) && this.node.type === 'PLAIN' ? this.file.commentBehind(this.node) : '';
  }
  /** Something to say of it that is no mistake. */
  remark(reason: string): Mistake {
    return this.file.remark(this.node, this.where, reason);
  }
  /** Another text at the same place. */
  with(text: string): YamlText {
    return new YamlText(this.file, this.node, this.where, text);
  }
}

const KEY = /^[a-z0-9-]{1,64}$/;

/** A mapping under check. Each field is asked for once; `done` complains about those nobody asked for. */
export class YamlMap {
  readonly where: string;
  private readonly file: YamlFile;
  private readonly node: YAMLMap;
  private readonly asked = new Set<string>();

  constructor(file: YamlFile, node: YAMLMap, where: string) {
    this.file = file;
    this.node = node;
    this.where = where;
  }

  private path(key: string): string {
    return this.where ? `${this.where}.${key}` : key;
  }

  /** Complains about the mapping as a whole, or about one of its fields. */
  complain(reason: string, key?: string): void {
    this.file.mistakes.push(this.remark(reason, key));
  }

  /** Something to say of the mapping as a whole, or of one of its fields. */
  remark(reason: string, key?: string): Mistake {
    const pair =
      key === undefined
        ? undefined
        : this.node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    const node = pair && isScalar(pair.key) ? pair.key : this.node;
    return this.file.remark(node, key === undefined ? this.where : this.path(key), reason);
  }

  /** The keys as written, in order. */
  keys(): string[] {
    return this.node.items.map((item) => (isScalar(item.key) ? String(item.key.value) : ''));
  }

  private value(key: string): Node | null {
    this.asked.add(key);
    const node = this.file.solid(this.node.get(key, true));
    return isScalar(node) && node.value === null ? null : node;
  }

  /** Whether a field says `null` by that word, which YAML takes for nothing at all. */
  saysNull(key: string): boolean {
    const node = this.file.solid(this.node.get(key, true));
    return isScalar(node) && node.value === null && /^null$/i.test(node.source ?? '');
  }

  /** A scalar as text (a number or a yes reads as it was written); null when it is left out. */
  optional(key: string, most = 20_000): YamlText | null {
    const node = this.value(key);
    if (node === null) return null;
    if (!isScalar(node)) {
      this.complain('应当是一段文字', key);
      return null;
    }
    const text = visibleText(typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))).trim();
    const lost = node.type === 'QUOTE_DOUBLE' ? lostCommand(this.file.written(node)) : null;
    if (lost !== null)
      this.complain(
        `双引号里的 ${lost} 不是公式：反斜杠和它后面的字母合成了一个看不见的字符，公式请用单引号或 | 多行写法`,
        key,
      );
    if (text.length > most) this.complain(`太长（${text.length} 个字符），最多 ${most} 个`, key);
    return text === '' ? null : new YamlText(this.file, node, this.path(key), text);
  }

  /** A scalar that must be there. */
  required(key: string, most?: number): YamlText | null {
    const known = this.file.mistakes.length;
    const text = this.optional(key, most);
    if (text === null && this.file.mistakes.length === known) this.complain(`没有写 ${key}`);
    return text;
  }

  /** A key or slug: lower-case letters, digits and `-`, at most 64. '' after a mistake. */
  slug(key: string): string {
    const text = this.required(key);
    if (text && !KEY.test(text.text)) {
      text.complain(`“${text.text.slice(0, 70)}”只能用小写字母、数字和连字符，最多 64 个`);
      return '';
    }
    return text?.text ?? '';
  }

  /** A number within limits and in steps; null when it is left out or wrong. */
  number(key: string, { min, max, step }: { min: number; max: number; step: number }): number | null {
    const text = this.optional(key);
    if (text === null) return null;
    const value = /^[-+]?\d+(\.\d+)?$/.test(text.text) ? Number(text.text) : Number.NaN;
    const steps = value / step;
    if (value >= min && value <= max && Math.abs(steps - Math.round(steps)) < 1e-9) return value;
    text.complain(
      `“${text.text.slice(0, 20)}”不正确，须为 ${min} 到 ${max} 之间${step === 1 ? '的整数' : `、以 ${step} 为单位的数`}`,
    );
    return null;
  }

  /** One of several words. */
  oneOf<T extends string>(key: string, words: readonly T[]): T | null {
    const text = this.required(key);
    if (text === null) return null;
    const word = words.find((known) => known === text.text);
    if (word === undefined) text.complain(`“${text.text.slice(0, 30)}”不正确，可用：${words.join('、')}`);
    return word ?? null;
  }

  /** true or false; false when it is left out. */
  flag(key: string): boolean {
    const text = this.optional(key);
    if (text && text.text !== 'true' && text.text !== 'false') text.complain('须为 true 或 false');
    return text?.text === 'true';
  }

  /** A mapping inside this one; null when it is left out. */
  map(key: string): YamlMap | null {
    const node = this.value(key);
    if (node === null) return null;
    if (isMap(node)) return new YamlMap(this.file, node, this.path(key));
    this.complain('应当是“键: 值”', key);
    return null;
  }

  private items(key: string): { node: Node | null; where: string }[] {
    const node = this.value(key);
    if (node === null) return [];
    if (!isSeq(node)) {
      this.complain('应当是一个列表（每项以 - 开头）', key);
      return [];
    }
    return node.items.map((item, at) => ({ node: this.file.solid(item), where: `${this.path(key)}[${at + 1}]` }));
  }

  /** A list of mappings; [] when it is left out. Places count from 1. */
  maps(key: string): YamlMap[] {
    return this.items(key).flatMap(({ node, where }) => {
      if (isMap(node)) return [new YamlMap(this.file, node, where)];
      this.file.complain(node, where, '应当是“键: 值”');
      return [];
    });
  }

  /** A list of scalars; [] when it is left out. */
  texts(key: string): YamlText[] {
    return this.items(key).flatMap(({ node, where }) => {
      if (isScalar(node) && node.value !== null)
        return [new YamlText(this.file, node, where, String(node.source ?? node.value).trim())];
      this.file.complain(node, where, '应当是一段文字');
      return [];
    });
  }

  /** A list of scalars and mappings; [] when it is left out. */
  textsAndMaps(key: string): (YamlText | YamlMap)[] {
    return this.items(key).flatMap(({ node, where }): (YamlText | YamlMap)[] => {
      if (isMap(node)) return [new YamlMap(this.file, node, where)];
      if (isScalar(node) && node.value !== null)
        return [new YamlText(this.file, node, where, String(node.source ?? node.value).trim())];
      this.file.complain(node, where, '应当是一段文字');
      return [];
    });
  }

  /** Complains about fields that nobody asked for: most are slips of the pen. */
  done(): void {
    for (const key of this.keys()) if (!this.asked.has(key)) this.complain(`不认识的字段“${key}”`, key);
  }
}

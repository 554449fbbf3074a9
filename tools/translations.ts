/**
 * Checks that the English translation is whole: every Chinese text that the interface passes to `t` and every sentence of
 * the refusal catalogue of the notices and of the answer promise has its English in web/locale/en.json, with the same placeholders, and no entry is left over.
 * Also finds Chinese text and Chinese punctuation in the web code that do not pass through `t`.
 *
 * One rule of case: what the product spec prints in English stands exactly as it prints it, small letters included, and
 * is listed here as `printed`; every other text begins with a capital, unless it continues a line. A text whose English
 * differs by place (`tIn('level', '全部')`) has an entry by context, with `default` for `t`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { refusals } from '#contract/envelope.ts';
import { agreementNames } from '#contract/values/agreement.ts';
import { promiseTexts } from '#contract/values/answer-promise.ts';
import { noticeTexts } from '#contract/values/notice.ts';

const root = join(import.meta.dirname, '..');
const CHINESE = /[\p{Script=Han}，、。：]/u;

type Entry = string | Readonly<Record<string, string>>;
const DEFAULT = 'default';

/** Decisions §1, as far as built. */
const printed: Readonly<Record<string, Entry>> = {
  全部: { [DEFAULT]: 'All', level: 'all' },
  试题反馈: { [DEFAULT]: 'question feedback', teach: 'Question feedback' },
  题目有误: 'has problem',
  错别字: 'typo',
  答案有误: 'answer has problem',
  答案与解析不符: 'answer does not match explanation',
  其他: 'other',
  请至少选择一个选项: 'please select at least one option',
  请输入问题描述: 'please enter a problem description',
  '已收到您的反馈，感谢': 'your feedback has been received, thanks',
  '反馈失败，请稍后重试': 'feedback failed, please try again later',
  验证成功: 'verification succeeded',
  预约: 'book',
  取消预约: { [DEFAULT]: 'cancel booking', done: 'Booking cancelled' },
  直播中: 'in progress',
  看回放: 'replay',
  优秀: 'excellent',
  及格: 'pass',
  起步: 'start',
  双一流: 'double-first-class',
  答题模式: 'answer mode',
  背题模式: 'recite mode',
};

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`);
}

const faults: string[] = [];
interface Use {
  where: string;
  text: string;
  context: string;
}
const uses: Use[] = [
  ...Object.entries(refusals).map(([why, { msg }]) => ({ where: `contract/envelope.ts ${why}`, text: msg })),
  ...Object.entries(promiseTexts).map(([kind, text]) => ({ where: `contract/values/answer-promise.ts ${kind}`, text })),
  ...Object.values(agreementNames).map((text) => ({ where: 'contract/values/agreement.ts', text })),
  ...Object.entries(noticeTexts).flatMap(([kind, { name, content }]) =>
    [name, content].map((text) => ({ where: `contract/values/notice.ts ${kind}`, text })),
  ),
].map((use) => ({ ...use, context: DEFAULT }));

const TRANSLATES = /^(t|tr|say|has|sentence|msg)$/;

/**
 * The context in which a literal is translated: it is the first argument of `t(…)`, or stands where a text is marked for
 * later translation, `msg('…')`; or it is the second of `tIn('context', …)`. Null: it is not translated.
 */
function contextOf(node: ts.Node): string | null {
  let at: ts.Node = node;
  while (ts.isParenthesizedExpression(at.parent) || ts.isConditionalExpression(at.parent)) at = at.parent;
  const call = at.parent;
  if (!ts.isCallExpression(call)) return null;
  const name = ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : call.expression.getText();
  const [first, second] = call.arguments;
  if (TRANSLATES.test(name) && first === at) return DEFAULT;
  return name === 'tIn' && second === at && first !== undefined && ts.isStringLiteral(first) ? first.text : null;
}

for (const file of [...sources('web'), ...sources('ui')]) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const where = () => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      const context = contextOf(node);
      if (context !== null) uses.push({ where: where(), text: node.text, context });
      else if (CHINESE.test(node.text)) faults.push(`${where()} Chinese text outside t(): ${node.text.slice(0, 40)}`);
    } else if (ts.isJsxText(node) && CHINESE.test(node.text)) {
      faults.push(`${where()} Chinese text outside t(): ${node.text.trim().slice(0, 40)}`);
    } else if (ts.isTemplateExpression(node) && CHINESE.test(node.getText())) {
      faults.push(`${where()} Chinese text in a template: use t('… {name}', { name })`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

const english = JSON.parse(readFileSync(join(root, 'web/locale/en.json'), 'utf8')) as Record<string, Entry>;
const wordsOf = (entry: Entry) => (typeof entry === 'string' ? { [DEFAULT]: entry } : entry);
const placeholders = (text: string) =>
  [...text.matchAll(/\{(\w+)(?::th)?\}/g)]
    .map((match) => match[1])
    .sort()
    .join();
for (const { where, text, context } of uses) {
  if (!CHINESE.test(text)) continue;
  const entry = english[text];
  const words = entry === undefined ? undefined : wordsOf(entry)[context];
  if (!words) faults.push(`${where} no English for: ${text}${context === DEFAULT ? '' : ` in the context ${context}`}`);
  else if (placeholders(text) !== placeholders(words)) faults.push(`${where} placeholders differ: ${text}`);
  else if (CHINESE.test(words)) faults.push(`${where} the English contains Chinese: ${words}`);
}
for (const [text, entry] of Object.entries(printed))
  for (const [context, words] of Object.entries(wordsOf(entry)))
    if (wordsOf(english[text] ?? '')[context] !== words)
      faults.push(`web/locale/en.json the spec prints “${words}” for: ${text}`);
for (const [text, entry] of Object.entries(english))
  for (const context of Object.keys(wordsOf(entry)))
    if (!uses.some((use) => use.text === text && use.context === context))
      faults.push(`web/locale/en.json is not used any more: ${text}${context === DEFAULT ? '' : ` (${context})`}`);

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${new Set(uses.map(({ text }) => text)).size} texts, all translated`);

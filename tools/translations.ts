/**
 * Checks that the English translation is whole: every Chinese text that the interface passes to `t` and every sentence of
 * the refusal catalogue has its English in web/locale/en.json, with the same placeholders, and no entry is left over.
 * Also finds Chinese text and Chinese punctuation in the web code that do not pass through `t`.
 *
 * One rule of case: what the product spec prints in English stands exactly as it prints it, small letters included, and
 * is listed here as `printed`; every other text begins with a capital, unless it continues a line. The spec prints 全部
 * both as `All` and as `all`; there is one entry, and it follows the rule for the others.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { refusals } from '#contract/envelope.ts';

const root = join(import.meta.dirname, '..');
const CHINESE = /[\p{Script=Han}，、。：]/u;

/** Decisions §1, as far as built. */
const printed: Readonly<Record<string, string>> = {
  试题反馈: 'question feedback',
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
const used = new Map<string, string>();
for (const [why, { msg }] of Object.entries(refusals)) used.set(msg, `contract/envelope.ts ${why}`);

const TRANSLATES = /^(t|tr|say|has|sentence)$/;

/** Whether a literal is the first argument of `t(…)`, or stands where a text is marked for later translation: `msg('…')`. */
function isTranslated(node: ts.Node): boolean {
  let at: ts.Node = node;
  while (ts.isParenthesizedExpression(at.parent) || ts.isConditionalExpression(at.parent)) at = at.parent;
  const call = at.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== at) return false;
  const name = ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : call.expression.getText();
  return TRANSLATES.test(name) || name === 'msg';
}

for (const file of [...sources('web'), ...sources('ui')]) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const where = () => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (isTranslated(node)) used.set(node.text, where());
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

const english = JSON.parse(readFileSync(join(root, 'web/locale/en.json'), 'utf8')) as Record<string, string>;
const placeholders = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)]
    .map((match) => match[1])
    .sort()
    .join();
for (const [text, where] of used) {
  if (!CHINESE.test(text)) continue;
  const translation = english[text];
  if (!translation) faults.push(`${where} no English for: ${text}`);
  else if (placeholders(text) !== placeholders(translation)) faults.push(`${where} placeholders differ: ${text}`);
  else if (CHINESE.test(translation)) faults.push(`${where} the English contains Chinese: ${translation}`);
}
for (const [text, words] of Object.entries(printed))
  if (english[text] !== words) faults.push(`web/locale/en.json the spec prints “${words}” for: ${text}`);
for (const text of Object.keys(english))
  if (!used.has(text)) faults.push(`web/locale/en.json is not used any more: ${text}`);

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${used.size} texts, all translated`);

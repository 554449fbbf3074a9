import {
  DEEPEST_ELEMENT,
  DEEPEST_FORMULA,
  type FormulaFault,
  formulaFault,
  LONGEST_FORMULA,
  type MarkupFault,
  MOST_ELEMENTS,
  MOST_FORMULAS,
  markupFault,
} from '#rules/rich-text/bounds.ts';

const formulaWords: Readonly<Record<FormulaFault, string>> = {
  long: `公式太长，最多 ${LONGEST_FORMULA} 个字符`,
  deep: `公式嵌套太深，最多 ${DEEPEST_FORMULA} 层`,
  defines: '公式里不能定义新命令（\\def、\\newcommand 等）',
};
const markupWords: Readonly<Record<MarkupFault, string>> = {
  manyElements: `HTML 标签太多，最多 ${MOST_ELEMENTS} 个`,
  deepElements: `HTML 标签嵌套太深，最多 ${DEEPEST_ELEMENT} 层`,
};

/** What a browser would not show of a text, each as a sentence in Chinese for its author: the bounds of rules/rich-text/bounds.ts. */
export function faultsOf(html: string, formulas: readonly { tex: string }[]): string[] {
  const faults = new Set<string>();
  for (const { tex } of formulas) {
    const fault = formulaFault(tex);
    if (fault) faults.add(`${formulaWords[fault]}：${tex.slice(0, 40)}${tex.length > 40 ? '…' : ''}`);
  }
  if (formulas.length > MOST_FORMULAS)
    faults.add(`公式太多（${formulas.length} 个），一段文字最多 ${MOST_FORMULAS} 个`);
  const markup = markupFault(html);
  if (markup) faults.add(markupWords[markup]);
  return [...faults];
}

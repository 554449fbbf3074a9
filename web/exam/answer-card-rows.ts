import { type Paper, typeNames } from './paper.ts';

/** A row of the answer card: a heading, or some numbers beside each other. Positions count from 0. */
export type CardRow = { heading: string; count: number } | { cells: number[] };

/**
 * The rows of the answer card: grouped by the paper's sections, or by question type where the paper has only one;
 * without groups that `keep` leaves empty. `columns` numbers stand in a row.
 */
export function cardRows(paper: Paper, columns: number, keep: (index: number) => boolean): CardRow[] {
  const rows: CardRow[] = [];
  for (const { title, cells } of groups(paper)) {
    const kept = cells.filter(keep);
    if (kept.length === 0) continue;
    rows.push({ heading: title, count: kept.length });
    for (let at = 0; at < kept.length; at += columns) rows.push({ cells: kept.slice(at, at + columns) });
  }
  return rows;
}

/** Runs of questions that belong together, in the order of the paper. `title` is a name of a type or the paper's own. */
function groups({ sections, questions }: Paper): { title: string; cells: number[] }[] {
  const titles = new Map<number, string>();
  if (sections.length > 1) {
    for (const { title, questionIds } of sections) for (const id of questionIds) titles.set(id, title);
  }
  const found: { title: string; cells: number[] }[] = [];
  for (const [index, question] of questions.entries()) {
    const title = titles.get(question.questionId) ?? typeNames[question.questionTypesId] ?? '';
    const last = found.at(-1);
    if (last?.title === title) last.cells.push(index);
    else found.push({ title, cells: [index] });
  }
  return found;
}

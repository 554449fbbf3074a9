import { type Paper, typeNames } from '../paper.ts';

/** A row of the answer card: a heading, or some numbers beside each other. Positions count from 0. */
type CardRow = { heading: string; count: number } | { cells: number[] };

/**
 * The rows of the answer card: grouped by the paper's sections, or by question type where the paper has only one;
 * without groups that `keep` leaves empty. `columns` numbers stand in a row.
 */
export function cardRows(paper: Paper, columns: number, keep: (index: number) => boolean): CardRow[] {
  const rows: CardRow[] = [];
  for (const { title, cells } of groups(paper)) {
    const shown = cells.filter(keep);
    if (shown.length === 0) continue;
    rows.push({ heading: title, count: shown.length });
    for (let at = 0; at < shown.length; at += columns) rows.push({ cells: shown.slice(at, at + columns) });
  }
  return rows;
}

/** Questions that belong together, groups and questions in the order of the paper. `title` is a name of a type or the paper's own. */
function groups({ sections, questions }: Paper): { title: string; cells: number[] }[] {
  const sectionOf = new Map<number, number>();
  if (sections.length > 1) {
    for (const [at, { questionIds }] of sections.entries()) for (const id of questionIds) sectionOf.set(id, at);
  }
  const found = new Map<string, { title: string; cells: number[] }>();
  for (const [index, { questionId, questionTypesId }] of questions.entries()) {
    const at = sectionOf.get(questionId);
    const title = at === undefined ? (typeNames[questionTypesId] ?? '') : (sections[at]?.title ?? '');
    const key = at === undefined ? `type ${questionTypesId}` : `section ${at}`;
    const group = found.get(key) ?? { title, cells: [] };
    found.set(key, group);
    group.cells.push(index);
  }
  return [...found.values()];
}

/**
 * A section's name without what it says about points in brackets: that stands above the question. The name of a type is whole: in another
 * language what is in its brackets tells it from the next one.
 * @param said the heading in the language of the interface
 */
export function shortHeading(heading: string, said: string): string {
  return said === heading ? (/^(.+?)\s*[（(]/.exec(heading)?.[1] ?? heading) : said;
}

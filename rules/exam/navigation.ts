/** Which setting a question screen is in (decisions §10: independent settings). */
interface Mode {
  /** 1 scored exam · -1 practice. */
  examMode: number;
  /** 1 answer · 2 recite. */
  questionMode: number;
  /** 1 live exam · 2 review. */
  examType: number;
}

/** Where a move leads: to another question, or past an edge. */
type Move = { go: number } | { edge: 'first' } | { edge: 'last'; finish: boolean };

/**
 * Where going to the index `to` leads among `total` questions. In answer mode both edges give a toast. Past the last
 * question in any other mode (recite, review, and practice, which has no hand-in to wait for) the chapter-finish dialog is
 * requested (spec §4 Exam).
 */
export function move(to: number, total: number, mode: Mode): Move {
  if (to < 0) return { edge: 'first' };
  if (to < total) return { go: to };
  return { edge: 'last', finish: mode.questionMode === 2 || mode.examType === 2 || mode.examMode === -1 };
}

/** Milliseconds between choosing and the next question (spec §4, §9). */
export const ADVANCE_AFTER = 500;

/**
 * Whether choosing an option of this question moves on by itself: judge and single choice only, never from the last
 * question, so that nothing happens that the student did not ask for (spec §4; incidents: a wrong click is not punished).
 */
export function advances(questionTypesId: number, index: number, total: number): boolean {
  return (questionTypesId === 1 || questionTypesId === 2) && index < total - 1;
}

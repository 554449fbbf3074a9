import { mixed, random } from './shuffle.ts';

/** A question on offer, as far as drawing needs it. */
export interface BankQuestion {
  questionId: number;
  questionTypesId: number;
  /** Case material it belongs to, or null. */
  caseId: number | null;
  /** Its place in the pack: questions on one case build on each other. */
  position: number;
  /** When the student last saved an answer to it, in whatever record; null: never. Epoch milliseconds. */
  answeredAt: number | null;
}

/** How many questions of a type a paper shall have, and what each of them gives. */
export interface BlueprintLine {
  questionTypesId: number;
  count: number;
  score: number;
}

type Drawn =
  | { ok: true; questions: { questionId: number; score: number }[] }
  /** `at`: the line that cannot be filled, from 0; `has`: so many questions of its type there are. */
  | { ok: false; why: 'bankTooSmall'; at: number; has: number };

/** What is drawn or left together: one question, or those on one case in their order. */
interface Unit {
  questions: BankQuestion[];
  answeredAt: number | null;
}

/**
 * Draws a paper (decision 027): what the student never answered first, then what they answered longest ago, among equals by lot. It
 * hangs on no verdict, so a paper tells nothing of what was right. Questions on one case are drawn together and stand together; a case
 * that is larger than what is still missing gives its first questions where nothing else is left.
 * @param bank questions on offer of the chosen chapters
 * @param blueprint each type once; its order is that of the paper, cases stand at the end
 * @param seed 32 bits; the same seed draws the same paper
 */
export function drawPaper(bank: readonly BankQuestion[], blueprint: readonly BlueprintLine[], seed: number): Drawn {
  const missing = new Map(blueprint.map(({ questionTypesId, count }) => [questionTypesId, count]));
  const wanted = bank.filter(({ questionTypesId }) => missing.has(questionTypesId));
  for (const [at, { questionTypesId, count }] of blueprint.entries()) {
    const has = wanted.filter((question) => question.questionTypesId === questionTypesId).length;
    if (has < count) return { ok: false, why: 'bankTooSmall', at, has };
  }
  const take = (question: BankQuestion) =>
    missing.set(question.questionTypesId, (missing.get(question.questionTypesId) ?? 0) - 1);
  const drawn: Unit[] = [];
  const tooLarge: Unit[] = [];
  for (const unit of inTurn(unitsOf(wanted), seed)) {
    if (fits(unit.questions, missing)) {
      for (const question of unit.questions) take(question);
      drawn.push(unit);
    } else if (unit.questions.length > 1) tooLarge.push(unit);
  }
  for (const { questions, answeredAt } of tooLarge) {
    const part: BankQuestion[] = [];
    for (const question of questions) {
      if ((missing.get(question.questionTypesId) ?? 0) === 0) continue;
      take(question);
      part.push(question);
    }
    if (part.length > 0) drawn.push({ questions: part, answeredAt });
  }
  const scores = new Map(blueprint.map(({ questionTypesId, score }) => [questionTypesId, score]));
  const cases = drawn.filter(({ questions }) => questions[0]?.caseId !== null);
  const single = drawn.filter(({ questions }) => questions[0]?.caseId === null);
  const order = blueprint.map(({ questionTypesId }) => questionTypesId);
  const typeOf = ({ questions }: Unit) => order.indexOf(questions[0]?.questionTypesId ?? 0);
  const paper = [...single.sort((a, b) => typeOf(a) - typeOf(b)), ...cases];
  return {
    ok: true,
    questions: paper.flatMap(({ questions }) =>
      questions.map(({ questionId, questionTypesId }) => ({ questionId, score: scores.get(questionTypesId) ?? 0 })),
    ),
  };
}

function unitsOf(questions: readonly BankQuestion[]): Unit[] {
  const units: Unit[] = [];
  const byCase = new Map<number, Unit>();
  for (const question of questions.toSorted((a, b) => a.position - b.position || a.questionId - b.questionId)) {
    const { caseId, answeredAt } = question;
    const known = caseId === null ? undefined : byCase.get(caseId);
    if (known) {
      known.questions.push(question);
      // A case is as fresh as the question of it that the student remembers best.
      known.answeredAt = answeredAt === null ? known.answeredAt : Math.max(answeredAt, known.answeredAt ?? answeredAt);
      continue;
    }
    const unit = { questions: [question], answeredAt };
    if (caseId !== null) byCase.set(caseId, unit);
    units.push(unit);
  }
  return units;
}

/** In which order they are tried: by lot, then by when they were answered. Sorting keeps the lot of equals. */
function inTurn(units: readonly Unit[], seed: number): Unit[] {
  const turn = ({ answeredAt }: Unit) => answeredAt ?? Number.NEGATIVE_INFINITY;
  return mixed(units, random(seed)).sort((a, b) => (turn(a) === turn(b) ? 0 : turn(a) - turn(b)));
}

function fits(questions: readonly BankQuestion[], missing: ReadonlyMap<number, number>): boolean {
  const left = new Map(missing);
  return questions.every(({ questionTypesId }) => {
    const room = left.get(questionTypesId) ?? 0;
    left.set(questionTypesId, room - 1);
    return room > 0;
  });
}

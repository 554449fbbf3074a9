import { fits, makePlan, type Plan } from './plan.ts';
import { type PlanInput, secondsOf } from './work.ts';

/** What might be left out so that the rest fits. */
interface Leave {
  packId: number;
  kind: 'chapter' | 'paper';
  id: number;
  seconds: number;
}

/** Papers of a pack that are the last to be left out, one for each week that is left. */
const KEEP_PAPERS = 3;
/** Plans that are tried to find what to leave out. */
const MOST_TRIES = 12;

/** More minutes on each day of study, in steps, by which all would fit; null: not even the longest days are enough. */
export function moreMinutes(input: PlanInput, { step, most }: { step: number; most: number }): number | null {
  const longer = (more: number): PlanInput => ({
    ...input,
    minutes: input.minutes.map((of) => (of === 0 ? 0 : Math.min(most, of + more))),
  });
  const enough = (steps: number) => fits(longer(steps * step));
  let above = Math.ceil((most - Math.min(most, ...input.minutes.filter((of) => of > 0))) / step);
  if (!enough(above)) return null;
  let below = 0;
  while (above - below > 1) {
    const middle = Math.floor((above + below) / 2);
    if (enough(middle)) above = middle;
    else below = middle;
  }
  return above * step;
}

/**
 * What might be left out so that the rest fits, from the end of each pack that does not: papers beyond the first three, then whole
 * chapters that are not begun, then papers. Empty: nothing does not fit.
 */
export function whatToLeave(input: PlanInput, { lacking: first }: Pick<Plan, 'lacking'>): Leave[] {
  const leaves: Leave[] = [];
  let lacking = first;
  const candidates = new Map(lacking.map(({ packId }) => [packId, leavable(input, packId)]));
  for (let tries = 0; lacking.length > 0 && tries < MOST_TRIES; tries += 1) {
    let found = false;
    for (const { packId, seconds } of lacking) {
      const some = candidates.get(packId) ?? [];
      // Far from fitting a try takes much at once.
      for (let freed = 0; freed < seconds / (1 + tries / 2); ) {
        const leave = some.shift();
        if (leave === undefined) break;
        leaves.push(leave);
        freed += leave.seconds;
        found = true;
      }
    }
    if (!found) break;
    lacking = makePlan(without(input, leaves)).lacking;
  }
  return leaves;
}

function leavable({ today, packs }: PlanInput, packId: number): Leave[] {
  const pack = packs.find((one) => one.packId === packId);
  if (!pack) return [];
  // Shortly before an exam a paper takes the day in which something could still be learned.
  const keep = Math.min(KEEP_PAPERS, Math.floor(((pack.examDay ?? today) - today) / 7));
  const papers = pack.papers
    .filter(({ taken }) => !taken)
    .map(({ id, seconds }): Leave => ({ packId, kind: 'paper', id, seconds }));
  const begun = pack.steps[0]?.chapterId ?? null;
  const chapters = new Map<number, Leave>();
  for (const step of pack.steps) {
    if (step.chapterId === null || step.chapterId === begun) continue;
    const known = chapters.get(step.chapterId)?.seconds ?? 0;
    const seconds = known + secondsOf(step, pack);
    chapters.set(step.chapterId, { packId, kind: 'chapter', id: step.chapterId, seconds });
  }
  return [...papers.slice(keep).reverse(), ...[...chapters.values()].reverse(), ...papers.slice(0, keep).reverse()];
}

/** The same work without what is left out. */
export function without(input: PlanInput, leaves: readonly Pick<Leave, 'packId' | 'kind' | 'id'>[]): PlanInput {
  const out = new Set(leaves.map(({ packId, kind, id }) => `${packId} ${kind} ${id}`));
  return {
    ...input,
    packs: input.packs.map((pack) => ({
      ...pack,
      steps: pack.steps.filter(({ chapterId }) => !out.has(`${pack.packId} chapter ${chapterId}`)),
      papers: pack.papers.filter(({ id }) => !out.has(`${pack.packId} paper ${id}`)),
    })),
  };
}

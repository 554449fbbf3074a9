/** What a plan lays out: a lesson to watch · questions of a chapter · due reviews of a pack · a whole paper. */
export const planKinds = ['lesson', 'practice', 'review', 'paper'] as const;
export type PlanKind = (typeof planKinds)[number];

/** What a student may leave out of the plan: a pack as a whole, a chapter with what stands in it, a paper. */
export const leftOutKinds = ['pack', 'chapter', 'paper'] as const;
export type LeftOutKind = (typeof leftOutKinds)[number];

/** Minutes of a day on which there is study; a day off has none. */
export const PLAN_LEAST = 10;
export const PLAN_MOST = 720;
/** Until the student chooses. */
export const PLAN_MINUTES = 60;

/** What a student may leave out in one pack, and send at once. */
export const MOST_LEFT_OUT = 500;

/** What stands of an upload: its conversion is waited for, it can be played, it cannot. */
export const mediaStates = ['waiting', 'ready', 'failed'] as const;
export type MediaState = (typeof mediaStates)[number];

/** What a list of media may be narrowed to; unused: no lesson shows it. */
export const mediaFilters = ['waiting', 'ready', 'failed', 'unused'] as const;

export const mediaKinds = ['video', 'audio'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** How a lesson uses a media: it shows it, shows it as soon as it is ready, or its pack brings it while a teacher gave it another one. */
export const lessonUses = ['shows', 'waits', 'pack'] as const;
export type LessonUse = (typeof lessonUses)[number];

/** Which quality players begin with, counted from the smallest (spec §9); `ui/player/engine.ts` has the number for hls.js. */
export const START_LEVEL = 2;

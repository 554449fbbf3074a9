/** What stands of an upload: its conversion is waited for, it can be played, it cannot. */
const mediaStates = ['waiting', 'ready', 'failed'] as const;
export type MediaState = (typeof mediaStates)[number];

const mediaKinds = ['video', 'audio'] as const;
export type MediaKind = (typeof mediaKinds)[number];

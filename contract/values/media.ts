/** What stands of an upload: its conversion is waited for, it can be played, it cannot. */
export const mediaStates = ['waiting', 'ready', 'failed'] as const;
export type MediaState = (typeof mediaStates)[number];

export const mediaKinds = ['video', 'audio'] as const;
export type MediaKind = (typeof mediaKinds)[number];

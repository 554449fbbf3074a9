/** What a job may be. `cancelled`: somebody took it back before it was done. */
export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

/** What a job may be. `cancelled`: somebody took it back before it was done. */
const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

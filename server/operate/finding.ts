/** What `doctor` finds: 好 is fine, 注意 may be meant so, 坏 stops the school from working or loses something. */
export interface Finding {
  verdict: '好' | '注意' | '坏';
  /** What was looked at. */
  what: string;
  says: string;
  /** What to do about it. */
  todo?: string;
}

/** Nothing to do. */
export const fine = (what: string, says: string): Finding => ({ verdict: '好', what, says });
/** May be meant so; says what to do if it is not. */
export const note = (what: string, says: string, todo: string): Finding => ({ verdict: '注意', what, says, todo });
/** Stops the school from working or loses something. */
export const bad = (what: string, says: string, todo: string): Finding => ({ verdict: '坏', what, says, todo });

/** What an error says of itself: the reason that stands in a finding. */
export const reasonOf = (error: unknown) => (error instanceof Error && error.message ? error.message : String(error));

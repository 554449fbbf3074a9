/** What `doctor` finds: 好 is fine, 注意 may be meant so, 坏 stops the school from working or loses something. */
export interface Finding {
  verdict: '好' | '注意' | '坏';
  /** What was looked at. */
  what: string;
  says: string;
  /** What to do about it. */
  todo?: string;
}

export const fine = (what: string, says: string): Finding => ({ verdict: '好', what, says });
export const note = (what: string, says: string, todo: string): Finding => ({ verdict: '注意', what, says, todo });
export const bad = (what: string, says: string, todo: string): Finding => ({ verdict: '坏', what, says, todo });

export const reasonOf = (error: unknown) => (error instanceof Error && error.message ? error.message : String(error));

import { useEffect, useRef } from 'react';
import { keepDraft } from './drafts.ts';

/**
 * Keeps what a form holds until it is sent (web/lib/drafts.ts); null: nothing is begun.
 * @returns forgets it, and does not keep the same again
 */
export function useDraft(owner: number, place: string, draft: object | null): () => void {
  const said = draft === null ? null : JSON.stringify(draft);
  const forgotten = useRef<string | null>(null);
  const writer = useRef(owner);
  const isBegun = useRef(false);
  useEffect(() => {
    // Somebody else signed in in another window: what stands here is not theirs.
    if (writer.current === 0) writer.current = owner;
    if (writer.current !== owner) return;
    // A form that opens empty takes nothing away that is still being read.
    if (said === null && !isBegun.current) return;
    isBegun.current = true;
    if (said === null) forgotten.current = null;
    else if (said === forgotten.current) return;
    keepDraft(owner, place, said === null ? null : (JSON.parse(said) as object));
  }, [owner, place, said]);
  return () => {
    forgotten.current = said;
    keepDraft(owner, place, null);
  };
}

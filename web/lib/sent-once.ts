import { useRef } from 'react';
import { keepDraft, keptDraft } from './drafts.ts';
import { randomName } from './random-name.ts';

/** What somebody pressed a button to send, and the name it went under. */
interface Tried {
  name: string;
  content: string;
}

/**
 * The name (`clientId`) under which a content is sent. The same content again is a repetition, since its answer may have been lost: it keeps its
 * name, and one is stored. Other content is something else: under the name of before the server would take it for what it has, and lose it.
 */
export function triedAs(before: Tried | null, content: object): Tried {
  const said = JSON.stringify(content);
  return before?.content === said ? before : { name: randomName(), content: said };
}

const readTried = (kept: object): Tried | null => {
  const { name, content } = kept as Record<string, unknown>;
  return typeof name === 'string' && typeof content === 'string' ? { name, content } : null;
};

/** Names what a form sends, over a reload too (`triedAs`). @param place that of its draft */
export function useSentOnce(owner: number, place: string) {
  const tried = useRef<Tried | null>(null);
  const kept = `${place}.tried`;
  return {
    /** The name for this content. */
    nameOf(content: object): string {
      tried.current = triedAs(tried.current ?? keptDraft(owner, kept, readTried), content);
      keepDraft(owner, kept, tried.current);
      return tried.current.name;
    },
    /** It arrived: the same words are something new from now on. */
    arrived(): void {
      tried.current = null;
      keepDraft(owner, kept, null);
    },
  };
}

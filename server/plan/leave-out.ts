import type { InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { LeaveOut } from '#contract/plan.ts';
import { MOST_LEFT_OUT } from '#contract/values/plan.ts';
import type { PackAccess } from '#server/course/access.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import type { Query } from '#server/db/open.ts';
import { listScoredPapers } from '#server/exam/finding/planned-store.ts';
import { addLeftOut, readLeftOut, removeLeftOut } from './store.ts';

type Outcome = { ok: true } | { ok: false; why: Why };

/** Leaves things out of a student's plan, all or none of them, or takes them in again. */
export async function leaveOut(
  { query, access }: { query: Query; access: PackAccess },
  { userId, out, list }: InputOf<typeof LeaveOut> & { userId: number },
): Promise<Outcome> {
  if (out === 0) {
    await removeLeftOut(query, userId, list);
    return { ok: true };
  }
  for (const [packId, some] of Map.groupBy(list, (one) => one.packId)) {
    const open = await access.mayOpen(userId, packId);
    if (!open.ok) return open;
    const of = (kind: (typeof list)[number]['kind']) => some.flatMap((one) => (one.kind === kind ? [one.id] : []));
    const chapters =
      of('chapter').length === 0
        ? []
        : (await listChapters(query, packId)).filter(({ level }) => level === 1).map(({ id }) => id);
    const papers = of('paper').length === 0 ? [] : (await listScoredPapers(query, packId)).map(({ id }) => id);
    const known = { pack: new Set([packId]), chapter: new Set(chapters), paper: new Set(papers) };
    if (some.some(({ kind, id }) => !known[kind].has(id))) return { ok: false, why: 'notFound' };
  }
  const name = ({ packId, kind, id }: (typeof list)[number]) => `${packId} ${kind} ${id}`;
  const all = new Set([...(await readLeftOut(query, userId)), ...list].map(name));
  if (all.size > MOST_LEFT_OUT) return { ok: false, why: 'leftOutFull' };
  await addLeftOut(query, userId, list);
  return { ok: true };
}

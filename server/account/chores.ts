import type { Chore } from '#server/chores.ts';
import type { Parts } from '#server/parts.ts';
import type { PersonPart } from '#server/person-part.ts';
import { readAccountsToClose } from '#server/user/store.ts';
import { closeAccount } from './closing.ts';
import { deleteExport, readExpiredExports } from './export-store.ts';

const AT_ONCE = 50;

/** What time does to accounts: closes those whose 15 days are over, takes away copies of data that have expired. */
export function accountChores(
  { db, files, log }: Pick<Parts, 'db' | 'files' | 'log'>,
  parts: readonly PersonPart[],
): Chore[] {
  return [
    {
      name: 'accounts: close those that are due',
      every: 10 * 60_000,
      run: async (now) => {
        let after = { closesAt: 0, id: 0 };
        for (;;) {
          // From where the last ones ended: those that cannot be closed now do not stand before the others.
          const due = await readAccountsToClose(db.query, now, { after, limit: AT_ONCE });
          for (const { id: userId } of due) {
            try {
              if (await closeAccount({ db }, parts, userId, now)) log.info({ userId }, 'an account was closed');
            } catch (error) {
              log.error({ err: error, userId }, 'an account could not be closed');
            }
          }
          const last = due.at(-1);
          if (!last || due.length < AT_ONCE) break;
          after = last;
        }
      },
    },
    {
      name: 'accounts: forget copies of data',
      every: 60 * 60_000,
      run: async (now) => {
        for (const { id, file } of await readExpiredExports(db.query, now, AT_ONCE)) {
          // The file first: a row that is left is looked at again, a file would stand for a week.
          if (file !== '') await files.delete(file);
          await deleteExport(db.query, id);
        }
      },
    },
  ];
}

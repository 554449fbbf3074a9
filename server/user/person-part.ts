import type { Parts } from '#server/parts.ts';
import { allOf, type PersonPart } from '#server/person-part.ts';
import { forgetDevices } from './device-store.ts';
import { deleteIdentity, findIdentity } from './identity-store.ts';
import { endAllSessions, listSessions } from './session-store.ts';
import { findUser } from './store.ts';

/** Of a person themself: names, number, real name, where they are signed in. Their row is emptied by who closes the account. */
export function userPart({ db: { query }, clock }: Pick<Parts, 'db' | 'clock'>): PersonPart {
  return {
    name: '账号资料',
    rows: (userId) =>
      allOf(async () => {
        const [user, identity] = [await findUser(query, userId), await findIdentity(query, userId)];
        if (!user) return [];
        const sessions = await listSessions(query, userId, clock());
        return [
          {
            studentId: user.id,
            phone: user.phone,
            nickname: user.nickname,
            userName: user.user_name,
            role: user.role,
            createdAt: user.created_at,
            lastUsedAt: user.last_used_at,
            idNumber: identity?.masked ?? '',
            fourteenOn: identity?.fourteen_on ?? '',
            devices: sessions.map(({ browser, system, place, created_at, last_seen_at }) => ({
              ...{ browser, system, place, createdAt: created_at, lastSeenAt: last_seen_at },
            })),
          },
        ];
      }),
    forget: async (trx, userId) => {
      await endAllSessions(trx, userId);
      await forgetDevices(trx, userId, null);
      await deleteIdentity(trx, userId);
    },
  };
}

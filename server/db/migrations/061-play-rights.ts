import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };

/** Since when somebody may play a video or a sound: the clock of what they report of it begins there (decision 079). */
export const playRights: Migration = {
  name: '061-play-rights',
  tables: {
    play_rights: {
      columns: { user_id: int, media_id: int, given_at: int },
      key: ['user_id', 'media_id'],
      index: [['media_id']],
      refers: { user_id: 'users' },
    },
  },
};

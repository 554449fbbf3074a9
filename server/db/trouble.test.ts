import { describe, expect, it } from 'vitest';
import { DatabaseTrouble, isRepeated, type Trouble, troubleOf } from './trouble.ts';

const withFields = (fields: object, message = 'said by a driver') => Object.assign(new Error(message), fields);
const code = (value: string) => withFields({ code: value });
const sqlite = (errcode: number) => withFields({ code: 'ERR_SQLITE_ERROR', errcode });

describe('what an error of a database says', () => {
  it.each<[what: string, error: unknown, trouble: Trouble | null]>([
    ['a serialization failure', code('40001'), 'race'],
    ['a deadlock', code('40P01'), 'race'],
    ['a plan that is gone', withFields({ code: '0A000' }, 'cached plan must not change result type'), 'race'],
    ['a feature that is not there', withFields({ code: '0A000' }, 'not supported'), null],
    ['a prepared statement that is gone', code('26000'), 'race'],
    ['a lock that was not given', code('55P03'), 'held'],
    ['a statement that took too long', code('57014'), 'slow'],
    ['an end by the administrator', code('57P01'), 'cut'],
    ['an end by a crash', code('57P02'), 'cut'],
    ['an end for want of questions', code('25P03'), 'cut'],
    ['a connection failure', code('08006'), 'cut'],
    ['a connection that could not be made', code('08001'), 'away'],
    ['a database that starts', code('57P03'), 'away'],
    ['too many connections', code('53300'), 'away'],
    ['a full disk of the database', code('53100'), 'full'],
    ['a leader that is none any more', code('25006'), 'ill'],
    ['a socket that was reset', code('ECONNRESET'), 'cut'],
    ['a broken pipe', code('EPIPE'), 'cut'],
    ['a port that nobody listens on', code('ECONNREFUSED'), 'away'],
    ['a socket file that is not there', withFields({ code: 'ENOENT', syscall: 'connect' }), 'away'],
    ['another file that is not there', withFields({ code: 'ENOENT', syscall: 'open' }), null],
    ['a full disk of this machine', code('ENOSPC'), 'full'],
    ['pg, of a connection that ended', new Error('Connection terminated unexpectedly'), 'cut'],
    [
      'pg, of a connection that was not made in time',
      new Error('Connection terminated due to connection timeout'),
      'away',
    ],
    ['pg, of none that became free', new Error('timeout exceeded when trying to connect'), 'away'],
    ['SQLite busy', sqlite(5), 'held'],
    ['SQLite busy with a snapshot', sqlite(517), 'held'],
    ['SQLite full', sqlite(13), 'full'],
    ['SQLite, a failed write', sqlite(778), 'ill'],
    ['SQLite, a file that may only be read', sqlite(8), 'ill'],
    ['SQLite, a row twice', sqlite(2067), null],
    ['a row twice', code('23505'), null],
    ['a wrong password', code('28P01'), null],
    ['a fault of ours', new TypeError('undefined is not a function'), null],
    ['no error', 'text', null],
    ['one that says it', new DatabaseTrouble('crowd', 'too many'), 'crowd'],
  ])('%s', (_what, error, trouble) => {
    expect(troubleOf(error)).toBe(trouble);
  });

  it.each<[trouble: Trouble | null, always: boolean, twiceIsOnce: boolean]>([
    ['race', true, true],
    ['held', true, true],
    ['cut', true, true],
    ['unsure', false, true],
    ['away', false, false],
    ['slow', false, false],
    ['full', false, false],
    ['ill', false, false],
    ['crowd', false, false],
    [null, false, false],
  ])('%s is tried again: %s; where twice is the same as once: %s', (trouble, always, twiceIsOnce) => {
    expect([isRepeated(trouble, false), isRepeated(trouble, true)]).toEqual([always, twiceIsOnce]);
  });
});

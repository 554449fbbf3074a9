import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Db, openDb } from './open.ts';

const url = process.env.TEST_DATABASE_URL ?? '';

describe.skipIf(url === '')('a connection to PostgreSQL', () => {
  const schema = `test_${randomBytes(6).toString('hex')}`;
  /** What was asked, and how many questions of the connection had no answer yet by then. */
  const asked: { text: string; before: number }[] = [];
  let db: Db;
  beforeAll(async () => {
    db = await openDb({ kind: 'postgres', url, schema }, 1);
    const { query } = pg.Client.prototype;
    let unanswered = 0;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      const [question] = args as [string | { text: string }];
      asked.push({ text: typeof question === 'string' ? question : question.text, before: unanswered });
      const answer = (query as (...words: unknown[]) => Promise<unknown>).apply(this, args);
      unanswered += 1;
      const answered = () => {
        unanswered -= 1;
      };
      answer.then(answered, answered);
      return answer;
    } as never);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await sql`drop schema ${sql.id(schema)} cascade`.execute(db.query);
    await db.close();
  });

  const questionsOf = async (work: Parameters<Db['transaction']>[0]) => {
    asked.length = 0;
    await db.transaction(work).catch(() => undefined);
    return asked.map(({ text, before }) => [text.split(' ')[0], before]);
  };

  it('begins a transaction together with its first question, when that only reads', async () => {
    const questions = await questionsOf(async (trx) => {
      await trx.selectFrom('settings').selectAll().execute();
      await trx.insertInto('settings').values({ key: 'a', value: '1' }).execute();
    });
    expect(questions).toEqual([
      ['begin', 0],
      ['select', 1],
      ['insert', 0],
      ['commit', 0],
    ]);
  });

  it('writes nothing before the transaction has begun', async () => {
    const questions = await questionsOf(async (trx) => {
      await trx.insertInto('settings').values({ key: 'b', value: '1' }).execute();
      throw new Error('no');
    });
    expect(questions).toEqual([
      ['begin', 0],
      ['insert', 0],
      ['rollback', 0],
    ]);
    expect(await db.query.selectFrom('settings').selectAll().where('key', '=', 'b').execute()).toEqual([]);
  });
});

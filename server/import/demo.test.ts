import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Db } from '#server/db/open.ts';
import { databases } from '#server/test-kit.ts';
import { loadDemo } from './demo.ts';
import { beginEmpty, clean, copyOf, count, fresh, loadPack, nasty, small } from './import.test-kit.ts';

afterAll(clean);

describe.each(databases)('on $name', ({ kind }) => {
  let db: Db;
  const files = beginEmpty(kind, (empty) => {
    db = empty;
  });

  describe('the demo', () => {
    test('loads into an empty database once, and again when it changed', async () => {
      const folder = fresh('demo');
      cpSync(small(), join(folder, 'small'), { recursive: true });
      const said: string[] = [];
      await loadDemo(db, files, (line) => said.push(line), folder);
      expect(said).toEqual(['Demo pack 小包: 3 questions']);
      await loadDemo(db, files, (line) => said.push(line), folder);
      expect(said).toHaveLength(1);
      writeFileSync(
        join(folder, 'small', 'questions', '2.yaml'),
        'questions: [{ key: q-4, chapter: b, type: 判断, topic: 新, answer: 错, score: 1 }]\n',
      );
      await loadDemo(db, files, (line) => said.push(line), folder);
      expect(said.at(-1)).toBe('Demo pack 小包: 4 questions');
    });

    test("leaves a school's own database alone", async () => {
      await loadPack(db, files, nasty);
      await loadDemo(db, files, () => expect.unreachable(), copyOf(small()));
      expect(await count(db, 'packs')).toBe(1);
    });
  });
});

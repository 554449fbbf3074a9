import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Db } from '#server/db/open.ts';
import { lockLessonMedia, showMedia } from '#server/play/lesson-media-store.ts';
import { databases } from '#server/test-kit.ts';
import { beginEmpty, clean, copyOf, loadPack, small } from './import.test-kit.ts';

afterAll(clean);

const LESSONS = `lessons:
  - { slug: intro, course: one, name: 导学, text: 正文, trial: true }
  - { slug: sec, chapter: a-1, name: 第一节课, video: v.mp4, practice: [{ chapter: a-1, credits: 1 }] }
  - { slug: extra, chapter: a, name: 选修课, text: 正文, elective: true }
  - { slug: last, chapter: b, name: 最后, text: 正文 }
`;

describe.each(databases)('lessons of a pack on $name', ({ kind }) => {
  let db: Db;
  const files = beginEmpty(kind, (empty) => {
    db = empty;
  });
  const pack = (lessons = LESSONS) => {
    const folder = copyOf(small());
    mkdirSync(join(folder, 'lessons'));
    writeFileSync(join(folder, 'lessons', 'v.mp4'), '\0\0\0\u0018ftypisom');
    writeFileSync(join(folder, 'lessons', '1.yaml'), lessons);
    return folder;
  };
  const stored = () => db.query.selectFrom('lessons').selectAll().orderBy('position').orderBy('id').execute();

  test('stand in the order of the directory, each after the last that is not elective', async () => {
    const report = await loadPack(db, files, pack());
    expect(report.lessons).toEqual({ added: 4, changed: 0, unchanged: 0, archived: 0, dropped: [] });
    const rows = await stored();
    const slugs = new Map(rows.map(({ id, slug }) => [id, slug]));
    expect(
      rows.map(({ slug, level, after_id, kind: what }) => [slug, level, slugs.get(after_id ?? 0) ?? null, what]),
    ).toEqual([
      ['intro', 1, null, 'text'],
      ['extra', 2, 'intro', 'text'],
      ['sec', 3, 'intro', 'video'],
      ['last', 2, 'sec', 'text'],
    ]);
    expect(await db.query.selectFrom('lesson_practices').select(['exam_slug', 'credits']).execute()).toEqual([
      { exam_slug: 'chapter:a-1', credits: 1 },
    ]);
    expect(await loadPack(db, files, pack())).toMatchObject({
      lessons: { unchanged: 4, changed: 0 },
      different: false,
    });
  });

  test('keep their ids, their media and what students have seen; those that are gone are archived', async () => {
    await loadPack(db, files, pack());
    const before = new Map((await stored()).map((row) => [row.slug, row.id]));
    const sec = before.get('sec') ?? 0;
    await db.transaction(async (trx) => {
      const lesson = await lockLessonMedia(trx, sec);
      if (lesson) await showMedia(trx, lesson, { mediaId: 5, kind: 'video', duration: 90_000 }, 'pack');
    });
    expect(await loadPack(db, files, pack(LESSONS.replace('第一节课', '改了名')))).toMatchObject({
      lessons: { changed: 1 },
      different: true,
    });
    const renamed = (await stored()).find(({ slug }) => slug === 'sec');
    expect(renamed).toMatchObject({ id: sec, name: '改了名', media_id: 5, duration: 90 });
    // Without its video it is another thing.
    await loadPack(db, files, pack(LESSONS.replace('video: v.mp4', 'text: 正文')));
    expect((await stored()).find(({ slug }) => slug === 'sec')).toMatchObject({ id: sec, media_id: null, duration: 0 });

    const without = pack();
    rmSync(join(without, 'lessons'), { recursive: true });
    expect(await loadPack(db, files, without)).toMatchObject({ lessons: { archived: 4 } });
    expect((await stored()).every(({ archived }) => archived === 1)).toBe(true);
    expect(await loadPack(db, files, pack())).toMatchObject({ lessons: { changed: 4, added: 0 } });
    expect(new Map((await stored()).map((row) => [row.slug, row.id]))).toEqual(before);
  });
});

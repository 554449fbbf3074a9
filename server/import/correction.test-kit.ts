import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPack } from '#content/pack/pack.ts';
import { enrol } from '#server/course/pack.test-kit.ts';
import { START, type TestApp, type TestUser } from '#server/test-kit.ts';
import { fresh } from './import.test-kit.ts';
import { importPack } from './pack.ts';

/** A question of a pack as a test writes it. */
interface Written {
  topic?: string;
  options?: string[];
  answer?: string;
  /** Several letters may be right: 多选. */
  many?: boolean;
  analysis?: string;
  chapter?: string;
  /** Makes it a short answer with these scoring points, by weight. */
  points?: Record<string, number>;
  knowledgePoint?: string;
}

/** What a pack says, where a test says nothing else. */
export const FIRST = { 'q-1': {}, 'q-2': {}, 'q-3': {} } as const;
interface PackText {
  questions?: Record<string, Written>;
  /** Points of each question in the paper. */
  score?: number;
  /** Share of the points for a part of the right letters; left out: none. */
  partial?: number;
  shuffle?: string;
  kind?: string;
  paper?: string[];
}

let made = 0;

/** A course with an exam paper, written by its author and imported by the operator; `again` imports a changed one. */
export async function school(kit: TestApp, first: PackText = {}) {
  kit.time.now = START;
  made += 1;
  const slug = `corrected-${made}`;
  const folderOf = ({
    questions = FIRST,
    score = 4,
    partial,
    shuffle,
    kind = 'mock',
    paper = Object.keys(questions),
  }: PackText) => {
    const folder = fresh('pack');
    mkdirSync(join(folder, 'questions'), { recursive: true });
    mkdirSync(join(folder, 'papers'));
    writeFileSync(
      join(folder, 'pack.yaml'),
      `format: 1\nslug: ${slug}\nname: 包\nsummary: 测试\ndescription: 介绍\nenrol: open\nunlock: free\ncourses:\n` +
        '  - { slug: one, name: 课程, chapters: [{ slug: a, name: 第一章 }, { slug: b, name: 第二章 }] }\n',
    );
    const line = ([key, asked]: [string, Written]) => {
      const {
        topic = `题 ${key}`,
        options = ['甲', '乙', '丙'],
        answer = 'A',
        many = false,
        analysis = '',
        chapter = 'a',
        points,
        knowledgePoint = '',
      } = asked;
      if (points) {
        const list = Object.entries(points).map(([text, weight]) => `{ text: ${text}, weight: ${weight} }`);
        return `  - { key: ${key}, chapter: ${chapter}, type: 简答, topic: ${topic}, answer: 参考, score: 2, points: [${list.join(', ')}] }\n`;
      }
      const letters = options.map((text, at) => `${'ABCDEFGH'[at]}: ${text}`).join(', ');
      const said =
        (analysis === '' ? '' : `, analysis: ${analysis}`) +
        (knowledgePoint === '' ? '' : `, knowledgePoint: ${knowledgePoint}`);
      return `  - { key: ${key}, chapter: ${chapter}, type: ${many ? '多选' : '单选'}, topic: ${topic}, options: { ${letters} }, answer: ${answer}, score: 2${said} }\n`;
    };
    writeFileSync(join(folder, 'questions', '1.yaml'), `questions:\n${Object.entries(questions).map(line).join('')}`);
    const shuffled = shuffle === undefined ? '' : `shuffle: ${shuffle}\n`;
    const minutes = kind === 'mock' ? 'minutes: 60\n' : '';
    const rule = partial === undefined ? '' : `partial: ${partial}\n`;
    const chapter = kind === 'afterclass' ? 'chapter: a\n' : '';
    writeFileSync(
      join(folder, 'papers', '1.yaml'),
      `key: paper\nkind: ${kind}\nname: 卷\n${minutes}${rule}${chapter}${shuffled}sections:\n  - { title: 一, score: ${score}, questions: [${paper.join(', ')}] }\n`,
    );
    return folder;
  };
  const again = async (text: PackText = {}, noted = true) => {
    const done = await importPack(kit.db, kit.parts.files, folderOf(text), {
      noted,
      now: kit.time.now,
      read: readPack,
    });
    if (!done.ok) throw new Error(JSON.stringify(done.mistakes));
    return done.report;
  };
  await again(first);
  const { id: packId } = await kit.db.query
    .selectFrom('packs')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  const examId = async (name: string) =>
    (
      await kit.db.query
        .selectFrom('exams')
        .select('id')
        .where('pack_id', '=', packId)
        .where('slug', '=', name)
        .executeTakeFirstOrThrow()
    ).id;
  const ids = async () => {
    const rows = await kit.db.query
      .selectFrom('questions')
      .select(['slug', 'id'])
      .where('pack_id', '=', packId)
      .execute();
    return Object.fromEntries(rows.map((row) => [row.slug, row.id])) as Record<string, number>;
  };
  const student = async () => {
    const as = await kit.user();
    await enrol(kit, as, packId);
    return as;
  };
  /** Starts the paper, or what has this slug. */
  const start = async (as: TestUser, name = 'paper') => {
    const { recordId, paperVersion } = await kit.ok('GET /app/exam/test_start', { examId: await examId(name) }, { as });
    return { examId: await examId(name), recordId, paperVersion };
  };
  return { slug, packId, folderOf, again, ids, student, start };
}

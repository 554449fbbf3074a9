import { timeBucket } from '#rules/exam/answer-time.ts';
import { dayOf } from '#rules/exam/schedule.ts';
import { gradeAnswer } from '#rules/exam/scoring.ts';
import type { TestApp } from '#server/test-kit.ts';
import { contentReader } from '../paper/content-store.ts';
import { gradedFromJson } from './graded-store.ts';
import { countedFromJson } from './study.ts';

type Counters = Record<string, readonly number[]>;

/** The counters of students' own figures as they are stored, without those that are back at nothing. */
export async function storedCounters({ db: { query } }: Pick<TestApp, 'db'>): Promise<Counters> {
  const lines: [string, number[]][] = [];
  for (const row of await query.selectFrom('study_counts').selectAll().execute())
    lines.push([
      `user ${row.user_id} pack ${row.pack_id} chapter ${row.chapter_id} type ${row.question_types_id} difficulty ${row.difficulty}`,
      [row.done, row.right_count, row.seconds, row.points, row.lost],
    ]);
  for (const row of await query.selectFrom('study_days').selectAll().execute())
    lines.push([`user ${row.user_id} pack ${row.pack_id} day ${row.day}`, [row.answered, row.seconds]]);
  for (const row of await query.selectFrom('question_times').selectAll().execute())
    lines.push([`question ${row.question_id} bucket ${row.bucket}`, [row.taken]]);
  return sorted(lines);
}

/** The same counters, counted anew from records and answers. */
export async function recountedCounters({ db: { query } }: Pick<TestApp, 'db'>): Promise<Counters> {
  const readContent = contentReader();
  const sums = new Map<string, number[]>();
  const add = (key: string, figures: number[]) =>
    sums.set(
      key,
      figures.map((figure, at) => figure + (sums.get(key)?.[at] ?? 0)),
    );
  for (const record of await query.selectFrom('exam_records').selectAll().execute()) {
    const content = await readContent(query, record.exam_id, record.version);
    const graded = gradedFromJson(record.graded ?? '{}');
    const counted = countedFromJson(record.counted ?? '{}');
    const answers = await query.selectFrom('exam_answers').selectAll().where('record_id', '=', record.id).execute();
    for (const { question_id, answer, shown_at, counted_seconds, counted_difficulty } of answers) {
      const question = content.byId.get(question_id);
      const shown = counted_seconds !== null && shown_at !== null;
      const own =
        counted.get(question_id) ?? (shown && { seconds: counted_seconds, difficulty: counted_difficulty ?? 0 });
      if (!question || !own) continue;
      const { state, earned } = graded.get(question_id) ?? gradeAnswer(question, answer, content.partial);
      const of = `user ${record.user_id} pack ${record.pack_id}`;
      add(`${of} day ${dayOf(shown ? shown_at : (record.submitted_at ?? 0))}`, [1, own.seconds]);
      add(`question ${question_id} bucket ${timeBucket(own.seconds)}`, [1]);
      if (state === 0 || state === 4 || state === 5) continue;
      const { chapterId, type, score } = question;
      const points = Math.round(score * 100);
      const key = `${of} chapter ${chapterId} type ${type} difficulty ${own.difficulty}`;
      add(key, [1, state === 1 ? 1 : 0, own.seconds, points, points - Math.round((earned ?? 0) * 100)]);
    }
  }
  return sorted([...sums]);
}

function sorted(lines: readonly [string, number[]][]): Counters {
  const there = lines.filter(([, figures]) => figures.some((figure) => figure !== 0));
  return Object.fromEntries(there.sort(([a], [b]) => (a < b ? -1 : 1)));
}

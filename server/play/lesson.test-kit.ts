import type { LessonKind } from '#contract/values/play.ts';
import { type MadePack, makePack } from '#server/course/pack.test-kit.ts';
import type { TestApp, TestUser } from '#server/test-kit.ts';
import { rightNoter } from './right-store.ts';

interface LessonOptions {
  name?: string;
  chapterId?: number | null;
  kind?: LessonKind;
  /** Whole seconds of its media; 0: it has none. */
  duration?: number;
  text?: string;
  elective?: boolean;
  trial?: boolean;
  credits?: number;
  afterId?: number | null;
  practices?: readonly { exam: string; credits: number }[];
}

let made = 0;

/** A lesson at the first chapter of a pack: a video of ten minutes, unless said otherwise. @returns its id */
export async function makeLesson(
  { db }: Pick<TestApp, 'db'>,
  { packId, courseId, chapterIds }: MadePack,
  options: LessonOptions = {},
): Promise<number> {
  made += 1;
  const { kind = 'video', duration = kind === 'text' ? 0 : 600, text = kind === 'text' ? '<p>正文</p>' : '' } = options;
  const { id } = await db.query
    .insertInto('lessons')
    .values({
      pack_id: packId,
      course_id: courseId,
      chapter_id: options.chapterId === undefined ? chapterIds[0] : options.chapterId,
      slug: `lesson-${made}`,
      name: options.name ?? `课时 ${made}`,
      level: 2,
      position: made,
      kind,
      elective: options.elective ? 1 : 0,
      trial: options.trial ? 1 : 0,
      credits: options.credits ?? 0,
      profile: '',
      body: text,
      media_source: kind === 'text' ? '' : 'a.mp4',
      media_id: duration > 0 ? made : null,
      duration,
      after_id: options.afterId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [at, { exam, credits }] of (options.practices ?? []).entries())
    await db.query
      .insertInto('lesson_practices')
      .values({ lesson_id: id, position: at + 1, exam_slug: exam, credits })
      .execute();
  return id;
}

/** Lets somebody open what a lesson shows now, as a page does before it plays. */
export async function openFilm(
  { db, time }: Pick<TestApp, 'db' | 'time'>,
  userId: number,
  lessonId: number,
): Promise<void> {
  const { media_id } = await db.query
    .selectFrom('lessons')
    .select('media_id')
    .where('id', '=', lessonId)
    .executeTakeFirstOrThrow();
  await rightNoter(db)({ userId, mediaId: media_id ?? 0, at: time.now });
}

/** A pack with lessons, and a student in it. */
export async function playScene(kit: TestApp, how: { sequential?: boolean; credits?: boolean } = {}) {
  const as = await kit.user();
  const pack = await makePack(kit, { students: [as] });
  const set = { unlock: how.sequential ? 'sequential' : 'free', score_state: how.credits ? 1 : 0 } as const;
  await kit.db.query.updateTable('packs').set(set).where('id', '=', pack.packId).execute();
  const one = await makeLesson(kit, pack, { credits: 2 });
  const two = await makeLesson(kit, pack, { afterId: one, credits: 0.5, chapterId: pack.chapterIds[1] });
  const { packId } = pack;
  for (const lesson of [one, two]) await openFilm(kit, as.userId, lesson);
  const at = (firstVideoId: number) => ({ packId, firstVideoId });
  /** Plays [from, to) while the clock runs as long. */
  const play = async (lesson: number, from: number, to: number, by: TestUser = as) => {
    kit.time.now += (to - from) * 1000;
    return kit.ok(
      'POST /app/course/report_duration',
      { ...at(lesson), duration: to - from, position: to, rate: 1 },
      { as: by },
    );
  };
  return { as, pack, packId, one, two, at, play };
}

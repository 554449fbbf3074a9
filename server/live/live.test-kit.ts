import type { TestApp } from '#server/test-kit.ts';

const HOUR = 3_600_000;

/** Plans a live lesson of a pack that begins in an hour. @returns its id */
export async function makeLive(kit: TestApp, packId: number): Promise<number> {
  const teacher = await kit.user('teacher');
  const { id } = await kit.ok(
    'POST /app/live/save',
    {
      ...{ packId, teacherId: teacher.userId, title: '考前冲刺' },
      ...{ startTime: kit.time.now + HOUR, endTime: kit.time.now + 3 * HOUR },
      liveUrlPc: 'https://live.example.cn/1',
    },
    { as: teacher },
  );
  return id;
}

import { expect, it } from 'vitest';
import { type AheadPage, openAhead } from '#web/lib/ask-script.test-kit.ts';
import { ASK_LESSON_AHEAD } from './ask-ahead.ts';

const answers: Record<string, unknown> = {
  '/api/user/info': { user: { studentId: 5 } },
  '/app/course/chapters': { packId: 3, current: { firstVideoId: 7 } },
  '/app/course/lesson': { firstVideoId: 7, videoResourceId: 12 },
  '/app/video/auth': { token: 't' },
};
const open = (page: AheadPage = {}, changed: Record<string, unknown> = {}) =>
  openAhead(ASK_LESSON_AHEAD, {
    path: '/course/play/3',
    answer: (path) => ({ ...answers, ...changed })[path],
    ...page,
  });

const first = ['GET /app/course/chapters?packId=3', 'GET /api/user/info'];
const lesson = (id: number) => `GET /app/course/lesson?packId=3&firstVideoId=${id}`;
const right = 'GET /app/video/auth?fileId=12&begins=1';

it('asks for the lesson that one goes on with, and for the right to play its film', async () => {
  const { asked, ahead, settled } = open();
  await settled();
  expect(asked).toEqual([...first, lesson(7), right]);
  const kept = Object.keys(ahead()?.answers ?? {});
  expect(kept).toEqual(asked.map((request) => request.replace('GET ', '')));
});

it.each(['?lesson=9', '?tab=notes&lesson=9&at=40'])(
  'asks for the lesson that the address names (%s) at once',
  async (search) => {
    const { asked, settled } = open({ search });
    expect(asked).toEqual(first);
    await settled();
    expect(asked).toEqual([...first, lesson(9), right]);
  },
);

it('goes on where a lesson is named that is none', async () => {
  const { asked, settled } = open({ search: '?lesson=0x9' });
  await settled();
  expect(asked).toContain(lesson(7));
});

it('leaves the lesson to the page where this browser still has to say what was played', async () => {
  const { asked, settled } = open({ stored: { 'lixue.play.unsent': '[]' } });
  await settled();
  expect(asked).toEqual(first);
});

it.each(['reload', 'back_forward'] as const)(
  'leaves the lesson to a page that is loaded again (%s): what it said of its place may be on its way',
  async (opened) => {
    const { asked, settled } = open({ opened });
    await settled();
    expect(asked).toEqual(first);
  },
);

it.each([
  ['may remember nothing', { stored: null }],
  ['has no room to remember anything', { full: true }],
])('leaves the lesson to the page in a browser that %s', async (_what, page) => {
  const { asked, settled } = open(page);
  await settled();
  expect(asked).toEqual(first);
});

it('notes what makes the answers old: who came, who left, and what was said of playing', () => {
  const { ahead } = open({ stored: { 'lixue.cameAgain': '5', 'lixue.play.told': '99' } });
  expect(ahead()?.noted).toEqual({ cameAgain: '5', leftAt: null, 'play.told': '99' });
});

it.each([
  ['a pack without lessons', { '/app/course/chapters': { current: null } }, first],
  ['a pack that is none', { '/app/course/chapters': null }, first],
  ['a lesson that is locked', { '/app/course/lesson': null }, [...first, lesson(7)]],
  ['a lesson of text', { '/app/course/lesson': { videoResourceId: null } }, [...first, lesson(7)]],
  ['a network that is lost', { '/app/course/lesson': undefined }, [...first, lesson(7)]],
])('asks no further in %s', async (_what, changed, expected) => {
  const { asked, settled } = open({}, changed);
  await settled();
  expect(asked).toEqual(expected);
});

it('keeps no refusal: the page asks again, and says what is wrong', async () => {
  const { ahead, settled } = open({}, { '/app/video/auth': null });
  await settled();
  expect(await ahead()?.answers[right.replace('GET ', '')]).toBeNull();
});

it.each(['/course/play/', '/course/play/0', '/course/play/x', '/course/3', '/course/play/3/4'])(
  'asks nothing at %s',
  (path) => {
    expect(open({ path }).asked).toEqual([]);
  },
);

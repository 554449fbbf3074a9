import { expect, it } from 'vitest';
import { type AheadPage, openAhead } from '#web/lib/ask-script.test-kit.ts';
import { ASK_AHEAD } from './ask-ahead.ts';

const open = (page: AheadPage = {}) => openAhead(ASK_AHEAD, { path: '/exam/3', answer: everything, ...page });

function everything(path: string): unknown {
  if (path === '/api/user/info') return { user: { studentId: 5 } };
  return { recordId: 8 };
}

const started = [
  'GET /api/user/info',
  'GET /app/exam/test_start?examId=3&windowId=W',
  'GET /api/exam/details?recordId=8',
  'GET /api/exam/cache?recordId=8&windowId=W',
];

it('starts a paper once all of its code but one file has come on a quick line', async () => {
  const { asked, arrive } = open();
  await arrive(2);
  expect(asked).toEqual(started.slice(0, 1));
  await arrive(2);
  expect(asked).toEqual(started);
});

it('starts none before all of its code has come on a slow line: its time would run', async () => {
  const { asked, arrive } = open({ now: 2500 });
  await arrive(3);
  await arrive(9, 'stylesheet');
  expect(asked).toEqual(started.slice(0, 1));
  await arrive(1);
  expect(asked).toEqual(started);
});

it('asks for what formulas need where the paper has some, once it is there', async () => {
  const formulas = { '\\(x\\)': '<span class="katex"></span>' };
  const of = (more: object) => (path: string) => ({
    ...(everything(path) as object),
    ...(/details/.test(path) && more),
  });
  const [some, none] = [open({ answer: of({ formulas }) }), open({ answer: of({}) })];
  for (const { arrive, links } of [some, none]) {
    expect(links).toEqual([]);
    await arrive(4);
  }
  expect(some.links.map(({ rel, href }) => [rel, href])).toEqual([
    ['modulepreload', '/assets/f.js'],
    ['stylesheet', '/assets/f.css'],
  ]);
  expect(none.links).toEqual([]);
});

it('opens a record that the address names at once, in this window first', async () => {
  const { asked, settled } = open({ search: '?record=8&q=2' });
  await settled();
  expect(asked).toEqual([
    'GET /api/user/info',
    'GET /api/exam/details?recordId=8',
    'POST /app/exam/take_over {"recordId":8,"windowId":"W"}',
    'GET /api/exam/cache?recordId=8&windowId=W',
  ]);
});

it.each([
  ['a visitor', { answer: () => ({ user: null }) }],
  ['a browser without a network', { answer: () => undefined }],
  ['a record that is none', { search: '?record=x' }],
])('asks no more than who is signed in for %s', async (_what, page) => {
  const { asked, arrive, ahead } = open(page);
  await arrive(4);
  expect(asked).toEqual(['GET /api/user/info']);
  await expect(ahead()?.answers['/api/user/info']).resolves.not.toThrow();
});

it('keeps no refusal: the page asks again, and says what is wrong', async () => {
  const { ahead, arrive } = open({ answer: (path) => (path === '/api/user/info' ? everything(path) : null) });
  await arrive(4);
  const answers = Object.entries(ahead()?.answers ?? {});
  expect(await Promise.all(answers.map(([, answer]) => answer))).toEqual([expect.anything(), null]);
});

it.each(['/exam/', '/exam/0', '/exam/x', '/exam/review/3', '/exam/3/4'])('asks nothing at %s', (path) => {
  expect(open({ path }).asked).toEqual([]);
});

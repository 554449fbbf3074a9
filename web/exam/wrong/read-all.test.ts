import { afterEach, expect, it, vi } from 'vitest';
import { MOST_READ, readAll } from './read-all.ts';

afterEach(() => vi.unstubAllGlobals());

/** A server with so many wrong questions. @returns what it was asked for, page by page */
function serverWith(total: number): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    const query = new URL(path, 'http://localhost').searchParams;
    asked.push(query);
    const [pageNum, pageSize] = [Number(query.get('pageNum')), Number(query.get('pageSize'))];
    const from = (pageNum - 1) * pageSize;
    const list = Array.from({ length: Math.max(0, Math.min(pageSize, total - from)) }, (_, at) => ({
      question: { questionId: from + at + 1 },
    }));
    return Response.json({ code: 200, msg: '', data: { list, cases: [{ id: pageNum }, { id: 1 }], total } });
  });
  return asked;
}

it.each([
  { total: 0, pages: 1, read: 0 },
  { total: 200, pages: 1, read: 200 },
  { total: 201, pages: 2, read: 201 },
  { total: 1500, pages: 5, read: MOST_READ },
])('of $total questions reads $pages pages, each question once', async ({ total, pages, read }) => {
  const asked = serverWith(total);
  const found = await readAll(3, { tab: 'left', order: 'timesWrong', chapterId: 7 }, 0);
  expect(found.questions.map(({ question }) => question.questionId)).toEqual(
    Array.from({ length: read }, (_, at) => at + 1),
  );
  expect([found.total, found.cases.length]).toEqual([total, pages]);
  expect(asked).toHaveLength(pages);
  for (const query of asked)
    expect(Object.fromEntries(query)).toMatchObject({
      packId: '3',
      state: 'left',
      chapterId: '7',
      order: 'timesWrong',
    });
});

it('reads a collection by what narrows that', async () => {
  const [query] = [
    serverWith(1),
    await readAll(3, { tab: 'collected', questionTypesId: 2 }, 0),
  ][0] as URLSearchParams[];
  expect(Object.fromEntries(query ?? [])).toMatchObject({ packId: '3', questionTypesId: '2' });
});

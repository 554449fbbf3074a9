import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { AnswerTimes } from './AnswerTimes.tsx';

const words = (medians: (number | null)[]) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <AnswerTimes
        result={{
          recordId: 1,
          answerTimes: medians.map((median, at) => ({ questionId: at + 1, seconds: 30, median })),
          byType: [],
        }}
        questions={medians.map((_, at) => ({ questionId: at + 1, state: 1 as const }))}
      />
    </MemoryRouter>,
  ).replace(/<[^>]*>/g, '|');

it('nobody is compared with nobody: of a median is spoken where there is one', () => {
  expect(words([null, null])).not.toContain('中位数');
  expect(words([12, null])).toContain('每题用时与所有答题者的中位数');
  expect(words([12, null])).toContain('答题者中位数');
});

it('partly right is not called wrong', () => {
  const page = renderToStaticMarkup(
    <MemoryRouter>
      <AnswerTimes
        result={{
          recordId: 1,
          answerTimes: [1, 2, 3].map((questionId) => ({ questionId, seconds: 30, median: null })),
          byType: [],
        }}
        questions={([1, 2, 3] as const).map((state) => ({ questionId: state, state }))}
      />
    </MemoryRouter>,
  ).replace(/<[^>]*>/g, '|');
  expect(page).toContain('没全对的题');
  expect(page).toContain('第 2 题 (答错)');
  expect(page).toContain('第 3 题 (部分正确)');
  expect(page).not.toContain('第 1 题 (');
});

it('one answer is no wall across the page', () => {
  const [, width = '0'] =
    /viewBox="0 0 (\d+) 100"/.exec(
      renderToStaticMarkup(
        <MemoryRouter>
          <AnswerTimes
            result={{ recordId: 1, answerTimes: [{ questionId: 1, seconds: 5, median: null }], byType: [] }}
            questions={[{ questionId: 1, state: 2 }]}
          />
        </MemoryRouter>,
      ),
    ) ?? [];
  expect(Number(width)).toBeGreaterThan(100);
});

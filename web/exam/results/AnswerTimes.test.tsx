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

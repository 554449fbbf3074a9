import { describe, expect, it } from 'vitest';
import { FIRST_QUESTION } from './first-question.ts';

const question = { questionId: 7, questionTypesId: 2, parentCaseStudyId: null, topic: '<p>1 + 1 = ？</p>' };
const options = { A: '一', B: '二<sub>2</sub>' };
const record = {
  ...{ recordId: 8, submittedAt: null, answers: [] as object[], place: null as object | null },
  ...{ extraTime: 0, accommodation: 0, ownsWindow: true, remaining: 60_000 as number | null },
};

interface Case {
  of: string;
  /** In place of what the question, the record and the browser say. */
  asked?: object;
  stored?: object;
  paper?: object;
  short?: boolean;
  remembers?: Record<string, string>;
  sheets?: (object | null)[];
  bones?: boolean;
  drawn: boolean;
}

/** Whether the script begins to draw: it copies the bones then, and nothing before. */
function draws({ asked, stored, paper, remembers = {}, sheets = [{}], bones = true, short = false }: Case): boolean {
  let copied = false;
  const root = {
    querySelector: () =>
      bones
        ? {
            cloneNode: () => {
              copied = true;
              throw new Error('enough');
            },
          }
        : null,
  };
  const document = {
    getElementById: () => root,
    querySelectorAll: () => sheets.map((sheet) => ({ sheet })),
    documentElement: { dataset: {} },
    createElement: () => ({}),
  };
  const localStorage = { getItem: (name: string) => remembers[name] ?? null };
  const matchMedia = () => ({ matches: short });
  const first = new Function('document', 'localStorage', 'matchMedia', `return ${FIRST_QUESTION}`)(
    ...[document, localStorage, matchMedia],
  );
  try {
    first({ questions: [{ ...question, options, ...asked }], sections: [], ...paper }, { ...record, ...stored });
  } catch (error) {
    if (!copied) throw error;
  }
  return copied;
}

describe('the first question is drawn before its code has come only where it cannot look otherwise later', () => {
  const cases: Case[] = [
    { of: 'words, a few tags, a new record', drawn: true },
    { of: 'signs as they are written in HTML', asked: { topic: '3 &lt; 5 &amp;&nbsp;&quot;' }, drawn: true },
    {
      of: 'places of other records',
      remembers: { 'lixue.exam.places': '[{"recordId":81,"questionId":2}]' },
      drawn: true,
    },
    { of: 'a formula', asked: { topic: '\\(x^2\\)' }, drawn: false },
    { of: 'a formula in an option', asked: { options: { ...options, B: '\\[x\\]' } }, drawn: false },
    { of: 'a picture', asked: { topic: '<img src="/files/1">' }, drawn: false },
    { of: 'a tag with an attribute', asked: { topic: '<p onclick="steal()">1</p>' }, drawn: false },
    { of: 'a tag that nobody knows', asked: { topic: '<script>steal()</script>' }, drawn: false },
    { of: 'a tag that is cut', asked: { topic: '1 <' }, drawn: false },
    { of: 'the bold of bones', asked: { topic: '<b>1</b>' }, drawn: false },
    { of: 'several letters', asked: { questionTypesId: 3 }, drawn: false },
    { of: 'a void question', asked: { score: 0 }, drawn: false },
    { of: 'one that stands for another', paper: { similar: [7] }, drawn: false },
    { of: 'time of one’s own, which is said above the question', stored: { accommodation: 30 }, drawn: false },
    { of: 'time that was given back', stored: { extraTime: 5 }, drawn: false },
    { of: 'time that is over', stored: { remaining: 0 }, drawn: false },
    { of: 'no limit of time', stored: { remaining: null }, drawn: true },
    { of: 'another window has it', stored: { ownsWindow: false }, drawn: false },
    { of: 'a window in which the page scrolls', short: true, drawn: false },
    { of: 'an answer in writing', asked: { options: {}, questionTypesId: 4 }, drawn: false },
    { of: 'a question with material', asked: { parentCaseStudyId: 3 }, drawn: false },
    { of: 'a record that is handed in', stored: { submittedAt: 5 }, drawn: false },
    { of: 'something is answered', stored: { answers: [{}] }, drawn: false },
    { of: 'somebody was at another question', stored: { place: { questionId: 9, seq: 0 } }, drawn: false },
    { of: 'this browser was', remembers: { 'lixue.exam.places': '[{"recordId":8,"questionId":2}]' }, drawn: false },
    { of: 'the styles are still to come', sheets: [{}, null], drawn: false },
    { of: 'the bones are gone', bones: false, drawn: false },
  ];
  it.each(cases)('$of: $drawn', (one) => {
    expect(draws(one)).toBe(one.drawn);
  });
});

import { expect, it } from 'vitest';
import { playTabs } from './tabs.ts';

const lesson = { pptUrl: '', practiceArr: [], courseFileCateArr: [] };
const practice = { examId: 1, name: '练', total: 1, done: 0, credits: 0 };

it.each([
  ['before the lesson is there', { lesson: null, scoreState: 0, parentId: null }, [1, 2]],
  ['with nothing beside it', { lesson, scoreState: 0, parentId: null }, [1, 2]],
  ['with a practice', { lesson: { ...lesson, practiceArr: [practice] }, scoreState: 0, parentId: null }, [1, 2, 4]],
  [
    'with files and slides',
    {
      lesson: { ...lesson, pptUrl: '/x.pdf', courseFileCateArr: [{ id: 1, name: '讲义' }] },
      scoreState: 0,
      parentId: null,
    },
    [1, 2, 6, 3],
  ],
  ['with credits', { lesson, scoreState: 1, parentId: null }, [1, 2, 5]],
  ['with an address that names no parent', { lesson, scoreState: 1, parentId: '' }, [1, 2, 5]],
  ['with parent 0', { lesson, scoreState: 1, parentId: '0' }, [1, 2, 5]],
  ['inside another pack', { lesson, scoreState: 1, parentId: '12' }, [1, 2]],
])('the tabs %s', (_, facts, tabs) => {
  expect(playTabs(facts)).toEqual(tabs);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const [ann, ben] = [1, 2];
const place = 'ask';

/** What two windows of one browser have in common. */
function storage(most: number) {
  const kept = new Map<string, string>();
  const ways = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => {
      const others = [...kept].filter(([other]) => other !== name);
      if ([...others, [name, value]].flat().join('').length > most) throw new Error('full');
      kept.set(name, value);
      Object.assign(all, { [name]: value });
    },
    removeItem: (name: string) => {
      kept.delete(name);
      Reflect.deleteProperty(all, name);
    },
  };
  const all = Object.create(ways) as typeof ways;
  return all;
}

async function windows(most = 1000) {
  vi.stubGlobal('window', { localStorage: storage(most) });
  const open = async () => {
    vi.resetModules();
    return import('./drafts.ts');
  };
  return [await open(), await open()] as const;
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_790_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const later = () => vi.advanceTimersByTime(1000);
const words = (text: string) => ({ text });

it('after a sign-out no other window writes anything down', async () => {
  const [one, two] = await windows();
  one.keepDraft(ann, place, words('before'));
  later();
  two.forgetDrafts();
  later();
  one.keepDraft(ann, place, words('after'));
  expect(one.typedDraft(ann, place, 9)).toBe('');
});

it('who signs in again in one window is kept in all', async () => {
  const [one, two] = await windows();
  later();
  two.forgetDrafts();
  later();
  two.keepDraftsAgain(ann);
  two.keepDraft(ann, place, words('new'));
  one.keepDraft(ann, place, words('newer'));
  expect(two.typedDraft(ann, place, 9)).toBe('newer');
});

it('somebody else who signs in is kept in all, and who left in none', async () => {
  const [one, two] = await windows();
  later();
  two.forgetDrafts();
  later();
  two.keepDraftsAgain(ben);
  one.keepDraft(ann, place, words('left'));
  one.keepDraft(ben, place, words('came'));
  expect([one.typedDraft(ann, place, 9), one.typedDraft(ben, place, 9)]).toEqual(['', 'came']);
  later();
  two.forgetDrafts();
  one.keepDraft(ben, place, words('left'));
  expect(one.typedDraft(ben, place, 9)).toBe('');
});

it('a sign-out is known to other windows also where storage was full', async () => {
  const [one, two] = await windows(60);
  one.keepDraft(ann, place, words('x'.repeat(60 - 'lixue.draft.1.ask{"text":""}'.length)));
  expect(one.typedDraft(ann, place, 99)).not.toBe('');
  later();
  two.forgetDrafts();
  later();
  one.keepDraft(ann, place, words('after'));
  expect(one.typedDraft(ann, place, 9)).toBe('');
});

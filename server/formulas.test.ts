import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import katex from 'katex';
import { describe, expect, it } from 'vitest';
import { formulaSetter } from './formulas.ts';

/** A thread that answers when it is told to. */
class Thread extends EventEmitter {
  asked: string[][] = [];
  ended = false;
  unref() {}
  async terminate() {
    this.ended = true;
    return 0;
  }
  postMessage(sources: string[]) {
    this.asked.push(sources);
  }
  answer() {
    this.emit(
      'message',
      (this.asked.shift() ?? []).map((source) => `<i>${source}</i>`),
    );
  }
}

function setter(options: { most?: number; within?: number; rests?: number } = {}) {
  const threads: Thread[] = [];
  const of = formulaSetter({
    ...options,
    thread: () => {
      threads.push(new Thread());
      return threads.at(-1) as unknown as Worker;
    },
  });
  return { of, threads };
}

describe('formulas set on the server', () => {
  it('are what KaTeX makes of them, mistakes and what is beyond the bounds as none', async () => {
    const of = formulaSetter({ within: 20_000 });
    const { formulas, whole } = await of([
      '<p>设 \\(a&lt;b\\) 与 \\(a&lt;b\\)，<code>\\(c\\)</code></p>',
      '<p>\\[\\frac12\\] \\(\\nosuch\\) \\(\\def\\a{x}\\a\\) \\(x',
      '<p>\\(y<b>z</b>\\)</p>',
    ]);
    expect(whole).toBe(true);
    expect(formulas).toEqual({
      '\\(a<b\\)': katex.renderToString('a<b'),
      '\\[\\frac12\\]': katex.renderToString('\\frac12', { displayMode: true }),
      '\\(\\nosuch\\)': '',
      '\\(\\def\\a{x}\\a\\)': '',
    });
  });

  it('are asked for once, however many wait for them', async () => {
    const { of, threads } = setter({ within: 10_000 });
    const both = Promise.all([of(['\\(x\\)']), of(['\\(x\\) \\(y\\)'])]);
    threads[0]?.answer();
    threads[0]?.answer();
    expect(await both).toEqual([
      { formulas: { '\\(x\\)': '<i>\\(x\\)</i>' }, whole: true },
      { formulas: { '\\(x\\)': '<i>\\(x\\)</i>', '\\(y\\)': '<i>\\(y\\)</i>' }, whole: true },
    ]);
    expect(await of(['\\(y\\)'])).toEqual({ formulas: { '\\(y\\)': '<i>\\(y\\)</i>' }, whole: true });
    expect(threads).toHaveLength(1);
    expect(threads[0]?.asked).toEqual([]);
  });

  it('do not hold an answer up: what is late is left out, and there the next time', async () => {
    const { of, threads } = setter({ within: 1 });
    expect(await of(['\\(x\\)'])).toEqual({ formulas: undefined, whole: false });
    threads[0]?.answer();
    expect(await of(['\\(x\\)'])).toEqual({ formulas: { '\\(x\\)': '<i>\\(x\\)</i>' }, whole: true });
  });

  it('go on with another thread when one ends', async () => {
    const { of, threads } = setter({ within: 10_000, rests: 0 });
    const first = of(['\\(x\\)']);
    threads[0]?.emit('error', new Error('out of memory'));
    expect(await first).toEqual({ formulas: undefined, whole: false });
    expect(threads[0]?.ended).toBe(true);
    const next = of(['\\(x\\)']);
    threads[1]?.answer();
    expect((await next).whole).toBe(true);
  });

  it('are not waited for where no thread starts, nor asked for past what an answer may have', async () => {
    const { of, threads } = setter({ within: 10_000 });
    const first = of(['\\(x\\)']);
    threads[0]?.emit('error', new Error('no thread'));
    await first;
    expect(await of(['\\(y\\)'])).toEqual({ formulas: undefined, whole: false });
    expect(threads).toHaveLength(1);
    const many = setter({ within: 1 });
    await many.of([Array.from({ length: 2000 }, (_, at) => `\\(x_{${at}}\\)`).join(' ')]);
    let asked = 0;
    for (const [thread] = many.threads; thread?.asked.length; thread.answer()) asked += thread.asked[0]?.length ?? 0;
    expect(asked).toBe(600);
  });

  it('are remembered up to a bound, the longest unused goes first', async () => {
    const { of, threads } = setter({ within: 10_000, most: 40 });
    const asked = async (text: string) => {
      const said = of([text]);
      const [thread] = threads;
      const count = thread?.asked.length ?? 0;
      if (count > 0) thread?.answer();
      await said;
      return count;
    };
    expect([await asked('\\(a\\)'), await asked('\\(b\\)'), await asked('\\(a\\)')]).toEqual([1, 1, 0]);
    expect([await asked('\\(c\\)'), await asked('\\(a\\)'), await asked('\\(b\\)')]).toEqual([1, 0, 1]);
  });
});

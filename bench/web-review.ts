import { report } from './measure.ts';
import { LOW_TIER, MID_TIER, type SlowDown, scoreAt, slowDownTo } from './slow-down.ts';
import { SLOWER, withWebExam } from './web-exam.ts';

/**
 * The review of a paper of 200 questions full of formulas, scrolled from its beginning to its end by the wheel at 4× CPU slow-down, on the desktop and
 * on a phone. The control is a page of plain paragraphs, about as high, scrolled the same way in the same browser: what of the
 * late frames is the browser's own. A second control is a copy of the review with all cards drawn and without a script: what a page that does nothing
 * has with the same formulas. It is freshly opened, the review was read along before.
 * Then the review and the plain page at the speed of a mid-tier phone, on any machine that is quicker: 4× slower is another phone on each.
 */
const QUESTIONS = 200;
/** Paragraphs of the plain page: it is about as high as the review. */
const PARAGRAPHS = 24 * QUESTIONS;
/** Pixels of one turn of the wheel, and milliseconds from one to the next. */
const TURN = 120;
const PAUSE = 30;
/** The pace of somebody who reads along: milliseconds from one turn to the next (600 pixels a second), and how many turns are looked at. */
const READING = 200;
const TURNS_READ = 60;
/** Turns of the wheel from one look at the middle of the window to the next; each look holds up the wheel a little. */
const LOOKS = 20;
const LOOKS_READING = 2;
/** Milliseconds over which a frame is late; told to a tenth of one, three pictures of a screen are 49.9 to 50.1. */
const LATE = 50;
const isLate = (length: number) => Math.round(length) > LATE;

interface Scrolled {
  frames: number;
  late: number;
  longest: number;
  /** Looks at the middle of the window, and those that fell on a question without its text. */
  looks: number;
  blank: number;
  /** Pixels a second, by the frames. */
  pace: number;
  /** Layout shift while scrolling, and before it. */
  moved: number;
  movedFirst: number;
}

/** The plain page and the review, each scrolled through at one slow-down. */
interface Compared extends SlowDown {
  plain: Scrolled;
  ours: Scrolled;
}

interface Measured {
  /** The review read along from its beginning, at `SLOWER`. */
  read: Scrolled;
  /** At `SLOWER`, after it was read along. */
  slower: Compared;
  /** The copy without a script, at `SLOWER`. */
  copy: Scrolled;
  /** At the speed of a mid-tier phone, freshly opened. */
  midTier: Compared;
}

declare global {
  interface Window {
    moved: number;
    frameTimes: number[];
  }
}

const formulas = [
  '\\(x=\\frac{-b\\pm\\sqrt{b^2-4ac}}{#a}\\)',
  '\\(\\int_0^{#} x^2\\,dx=\\frac13\\)',
  '\\(\\lim_{n\\to\\infty}\\left(1+\\frac{#}n\\right)^n=e^{#}\\)',
  '\\(\\sum_{k=#}^{n}k=\\frac{n(n+1)}{2}\\)',
];
const topic = `<p>已知 ${formulas.join('，')}，则下列说法正确的是（　）。</p><p>\\[f_{#}(x)=\\begin{cases}x^2,&x\\ge 0\\\\-x,&x<0\\end{cases}\\]</p>`;

async function measure(width: number, height: number): Promise<Measured> {
  return withWebExam({ questions: QUESTIONS, width, height, topic }, async ({ page, client, address }) => {
    await page.addInitScript(() => {
      window.moved = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value?: number; hadRecentInput?: boolean })[])
          if (!entry.hadRecentInput) window.moved += entry.value ?? 0;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const scroll = async ({
      rate = SLOWER,
      pause = PAUSE,
      each = LOOKS,
      turns = Number.POSITIVE_INFINITY,
    } = {}): Promise<Scrolled> => {
      await client.send('Emulation.setCPUThrottlingRate', { rate });
      const [movedFirst, from] = await page.evaluate(() => [window.moved, window.scrollY] as const);
      await page.evaluate(() => {
        window.frameTimes = [];
        let last = performance.now();
        const times = window.frameTimes;
        const next = (now: number) => {
          times.push(now - last);
          last = now;
          // Until another scroll is looked at.
          if (window.frameTimes === times) requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      });
      await page.mouse.move(width / 2, height / 2);
      let [looks, blank] = [0, 0];
      for (let ended = false, turned = 0; !ended && turned < turns; turned += each) {
        for (let turn = 0; turn < each; turn += 1) {
          await page.mouse.wheel(0, TURN);
          await page.waitForTimeout(pause);
        }
        const seen = await page.evaluate(() => {
          const { scrollHeight, clientHeight } = document.documentElement;
          // What is far from the window is not laid out, and a question that is asked where it is would be.
          const card = [...document.querySelectorAll('[data-near] > article')].find(
            (one) => one.getBoundingClientRect().bottom > clientHeight / 2,
          );
          return {
            ended: window.scrollY + clientHeight >= scrollHeight - 4,
            isCard: card !== undefined,
            isBlank: card?.children[1]?.childElementCount === 0,
          };
        });
        ended = seen.ended;
        if (seen.isCard) looks += 1;
        if (seen.isBlank) blank += 1;
      }
      const [frames, moved, to] = await page.evaluate(() => [window.frameTimes, window.moved, window.scrollY] as const);
      await client.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      return {
        frames: frames.length,
        late: frames.filter(isLate).length,
        longest: Math.max(...frames),
        looks,
        blank,
        pace: (1000 * (to - from)) / frames.reduce((sum, length) => sum + length, 0),
        moved: moved - movedFirst,
        movedFirst,
      };
    };
    const origin = new URL(address).origin;
    await page.goto(`${origin}/robots.txt`);
    const midTier = await slowDownTo(page, client, MID_TIER);
    const slower = { rate: SLOWER, score: await scoreAt(page, client, SLOWER) };
    await page.setContent(
      `<!doctype html><main>${Array.from({ length: PARAGRAPHS }, (_, at) => `<p>第 ${at + 1} 段：下列说法正确的是（　）。</p>`).join('')}</main>`,
    );
    const toTop = async () => {
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.waitForTimeout(1000);
    };
    const plain = await scroll();
    await toTop();
    const plainMidTier = await scroll({ rate: midTier.rate });
    await page.goto(address);
    await page.getByRole('heading', { name: '第 1 题', exact: true }).waitFor();
    const recordId = await page.evaluate(async () => {
      const examId = Number(location.pathname.split('/')[2]);
      const ask = async (path: string, body?: object) => {
        const answer = await fetch(path, {
          method: body ? 'POST' : 'GET',
          headers: { 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        return (await answer.json()) as { data: { recordId: number } };
      };
      const { data } = await ask(`/app/exam/test_start?examId=${examId}`);
      await ask('/api/exam/submit', { examId, recordId: data.recordId, answers: [] });
      return data.recordId;
    });
    const open = async () => {
      await page.goto(`${origin}/exam/review/${recordId}?view=list`);
      await page.getByRole('article').first().waitFor();
      await page.waitForLoadState('networkidle');
    };
    await open();
    const read = await scroll({ pause: READING, each: LOOKS_READING, turns: TURNS_READ });
    await toTop();
    const ours = await scroll();
    const body = await page.evaluate(() => {
      window.dispatchEvent(new Event('beforeprint'));
      const copied = document.documentElement.cloneNode(true) as HTMLElement;
      for (const one of copied.querySelectorAll('script, link[rel=modulepreload]')) one.remove();
      // So the browser itself says what is near.
      for (const one of copied.querySelectorAll('[data-near]')) one.removeAttribute('data-near');
      return `<!doctype html>${copied.outerHTML}`;
    });
    await page.route('**/copy', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
    await page.goto(`${origin}/copy`);
    await page.waitForLoadState('networkidle');
    await toTop();
    const copy = await scroll();
    if ((await page.locator('article[aria-busy=false]').count()) < QUESTIONS) throw new Error('The copy is not whole.');
    await open();
    const oursMidTier = await scroll({ rate: midTier.rate });
    return {
      read,
      slower: { ...slower, plain, ours },
      copy,
      midTier: { ...midTier, plain: plainMidTier, ours: oursMidTier },
    };
  });
}

const desktop = await measure(1440, 900);
const phone = await measure(390, 844);
const share = ({ late, frames }: Scrolled) => (100 * late) / Math.max(1, frames);
const words = ({ ours, plain, rate, score }: Compared) =>
  `${ours.late} of ${ours.frames} frames, longest ${ours.longest.toFixed(0)} ms, without text ${ours.blank} of ${ours.looks} looks, ${ours.pace.toFixed(0)} pixels a second, plain page ${plain.late} of ${plain.frames}, longest ${plain.longest.toFixed(0)} ms, ${rate.toFixed(2)}× slower CPU, score ${score.toFixed(0)}`;
report({
  name: 'review_late_frames',
  value: Math.max(share(desktop.slower.ours), share(phone.slower.ours)),
  unit: '%',
  detail: `frames over ${LATE} ms while ${QUESTIONS} questions with formulas are scrolled (a low-tier phone has the score ${LOW_TIER}); desktop: ${words(desktop.slower)}; phone: ${words(phone.slower)}`,
});
/** How many times as often as on another page a frame was late; where none was late there, as if one had been. */
const against = (ours: Scrolled, other: Scrolled) => share(ours) / share({ ...other, late: Math.max(1, other.late) });
const againstPlain = ({ slower: { ours, plain } }: Measured) => against(ours, plain);
const againstCopy = ({ slower: { ours }, copy }: Measured) => against(ours, copy);
report({
  name: 'review_late_against_plain',
  value: Math.max(againstPlain(desktop), againstPlain(phone)),
  unit: '×',
  detail: `the share of late frames, by that of as long a plain page in the same browser; desktop: ${againstPlain(desktop).toFixed(2)}, phone: ${againstPlain(phone).toFixed(2)}`,
});
const copyWords = ({ copy: { late, frames, longest, pace } }: Measured) =>
  `${late} of ${frames} frames, longest ${longest.toFixed(0)} ms, ${pace.toFixed(0)} pixels a second`;
report({
  name: 'review_late_against_copy',
  value: Math.max(againstCopy(desktop), againstCopy(phone)),
  unit: '×',
  detail: `the share of late frames, by that of a copy of all its cards without a script, ${SLOWER}× slower CPU; the copy on the desktop: ${copyWords(desktop)}; on a phone: ${copyWords(phone)}`,
});
report({
  name: 'review_late_mid_tier',
  value: Math.max(share(desktop.midTier.ours), share(phone.midTier.ours)),
  unit: '%',
  detail: `such frames, freshly opened, at the speed of a mid-tier phone (score ${MID_TIER}; a machine with less is not slowed down); desktop: ${words(desktop.midTier)}; phone: ${words(phone.midTier)}`,
});
const unread = ({ read: { blank, looks } }: Measured) => (100 * blank) / Math.max(1, looks);
const reading = ({ read }: Measured) =>
  `${read.blank} of ${read.looks} looks, late ${read.late} of ${read.frames} frames, longest ${read.longest.toFixed(0)} ms, ${read.pace.toFixed(0)} pixels a second`;
report({
  name: 'review_unread',
  value: Math.max(unread(desktop), unread(phone)),
  unit: '%',
  detail: `looks that met a question without its text at the pace of somebody who reads along, ${SLOWER}× slower CPU; desktop: ${reading(desktop)}; phone: ${reading(phone)}`,
});
const reviewsOf = ({ read, slower, midTier }: Measured) => [read, slower.ours, midTier.ours];
const each = (values: number[]) => values.map((value) => value.toFixed(3)).join(', ');
const movesOf = (measured: Measured) =>
  `while scrolling ${each(reviewsOf(measured).map(({ moved }) => moved))}, before ${each(reviewsOf(measured).map(({ movedFirst }) => movedFirst))}`;
report({
  name: 'review_moved',
  value: Math.max(...[desktop, phone].flatMap(reviewsOf).flatMap(({ moved, movedFirst }) => [moved, movedFirst])),
  unit: '',
  detail: `layout shift, read along, ${SLOWER}× slower and at mid-tier; desktop: ${movesOf(desktop)}; phone: ${movesOf(phone)}`,
});

import { median, report } from './measure.ts';
import { quantile, SLOWER, tasksOf, withWebExam } from './web-exam.ts';

/**
 * From choosing an option to the next paint, on a paper of 200 questions at 4× CPU slow-down: from the time stamp that the
 * browser gave the click to the first task after the frame that shows it. The figure is the median; beside it stand the
 * 95th percentile, the same for a click that changes nothing (the control: what machine, browser and slow-down take by
 * themselves at this moment), and the processor time that the main thread spends on one choice.
 */
const CHOICES = 60;
const TRACED = 10;

declare global {
  interface Window {
    /** Set by the bench in the page: milliseconds from click to paint, on options and elsewhere. */
    tookClicks: { option: number[]; nothing: number[] };
  }
}

/** In the page: measures every click. */
function watch(): void {
  window.tookClicks = { option: [], nothing: [] };
  document.addEventListener(
    'click',
    (event) => {
      const option =
        event.target instanceof Element && event.target.closest('[role="radio"], [role="checkbox"]') !== null;
      requestAnimationFrame(() => {
        // This runs before its frame is painted; the next task runs after.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () =>
          window.tookClicks[option ? 'option' : 'nothing'].push(performance.now() - event.timeStamp);
        port2.postMessage(null);
      });
    },
    { capture: true },
  );
}

const topic = '<p>设函数 \\(f(x)=x^2\\)，则下列说法正确的是（　）。</p>';
const found = await withWebExam({ questions: 200, width: 1440, height: 900, topic }, async (exam) => {
  const { page, client, address } = exam;
  await page.goto(address);
  await page.getByRole('heading', { name: '第 1 题', exact: true }).waitFor();
  await page.getByRole('button', { name: '显示与快捷键' }).click();
  await page.getByRole('switch').setChecked(false);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.evaluate(watch);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });

  const options = page.getByRole('radio').or(page.getByRole('checkbox'));
  let at = 1;
  const next = async () => {
    at += 1;
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: `第 ${at} 题`, exact: true }).waitFor();
  };
  const click = async (kind: 'option' | 'nothing', turn: number) => {
    const target = kind === 'option' ? options.nth(turn % 2) : page.getByRole('heading', { name: /^第 \d+ 题$/ });
    const box = await target.boundingBox();
    if (!box) throw new Error('nothing to click on');
    await page.mouse.click(box.x + Math.min(40, box.width / 2), box.y + box.height / 2);
  };
  const painted = (kind: 'option' | 'nothing', count: number) =>
    page.waitForFunction(([which, past]) => window.tookClicks[which].length > past, [kind, count] as const, {
      polling: 20,
    });
  for (let choice = 0; choice < CHOICES; choice += 1) {
    await click('nothing', choice);
    await painted('nothing', choice);
    await click('option', choice);
    await painted('option', choice);
    await next();
  }
  const took = await page.evaluate(() => window.tookClicks);
  const work: number[] = [];
  for (let choice = 0; choice < TRACED; choice += 1) {
    // The save comes 800 ms after the choice: it is not in here.
    const tasks = await tasksOf(exam, () => click('option', choice));
    work.push(tasks.reduce((sum, { cpu }) => sum + cpu, 0));
    await next();
  }
  return { ...took, work };
});

const ms = (figure: number) => `${figure.toFixed(0)} ms`;
report({
  name: 'exam_choose_to_paint',
  value: median(found.option),
  unit: 'ms',
  detail: `${SLOWER}× slower CPU, 200 questions, ${found.option.length} choices, p95 ${ms(quantile(found.option, 0.95))}; a click that changes nothing: median ${ms(median(found.nothing))}, p95 ${ms(quantile(found.nothing, 0.95))}; processor time of the main thread for all that a choice causes in 300 ms: median ${ms(median(found.work))}`,
});

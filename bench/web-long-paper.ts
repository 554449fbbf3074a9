import { report } from './measure.ts';
import { SLOWER, type Task, tasksOf, withWebExam } from './web-exam.ts';

/**
 * A paper of 2,000 questions at 4× CPU slow-down: opening the answer card, scrolling through it, filtering it, jumping on
 * it and choosing, on the desktop and on a phone. The figure is the longest task of the main thread in processor time,
 * which does not grow with what else the machine does; the time by the clock stands beside it.
 */
const QUESTIONS = 2000;

type Found = Record<string, Task>;

function measure(width: number, height: number): Promise<Found> {
  const topic = '<p>说法正确的是（　）。</p>';
  return withWebExam({ questions: QUESTIONS, width, height, topic }, async (exam) => {
    const { page, client, address } = exam;
    await page.goto(address);
    await page.getByRole('heading', { name: '第 1 题', exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    const card = page.getByRole('region', { name: '答题卡' });
    const open = async () => {
      if (width >= 1024) return;
      await page.getByRole('button', { name: /^答题卡/ }).click();
      await card.waitFor();
    };
    const found: Found = {};
    const longest = async (name: string, act: () => Promise<void>) => {
      const tasks = await tasksOf(exam, act);
      found[name] = tasks.reduce((most, task) => (task.cpu > most.cpu ? task : most), { wall: 0, cpu: 0 });
    };
    await longest('opening', open);
    const box = await card.boundingBox();
    if (!box) throw new Error('no answer card');
    const middle = () => page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await longest('scrolling', async () => {
      await middle();
      for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, 400);
      for (let turn = 0; turn < 20; turn += 1) await page.mouse.wheel(0, -900);
    });
    await longest('filtering', async () => {
      await card.getByRole('button', { name: /^未答/ }).click();
      await card.getByRole('button', { name: '全部' }).click();
    });
    await longest('jumping', async () => {
      for (let jump = 0; jump < 12; jump += 1) {
        if (jump > 0) await open();
        await middle();
        await page.mouse.wheel(0, jump % 3 === 2 ? -2500 : 3000);
        await card
          .getByRole('button', { name: /^第 \d+ 题/ })
          .nth(12)
          .click();
        await page.getByRole('heading', { name: /^第 \d+ 题$/ }).waitFor();
      }
    });
    await longest('choosing', async () => {
      for (let choice = 0; choice < 8; choice += 1) {
        await page
          .getByRole('radio')
          .or(page.getByRole('checkbox'))
          .nth(choice % 2)
          .click();
        await page.keyboard.press('ArrowRight');
      }
    });
    return found;
  });
}

const desktop = await measure(1440, 900);
const phone = await measure(390, 844);
const words = (found: Found) =>
  Object.entries(found)
    .map(([name, { cpu, wall }]) => `${name} ${cpu.toFixed(0)} (${wall.toFixed(0)})`)
    .join(', ');
report({
  name: 'exam_long_paper_task',
  value: Math.max(...[...Object.values(desktop), ...Object.values(phone)].map(({ cpu }) => cpu)),
  unit: 'ms',
  detail: `${SLOWER}× slower CPU, ${QUESTIONS} questions, longest tasks in processor time (by the clock); desktop: ${words(desktop)}; phone: ${words(phone)}`,
});

import { contentReader } from '#server/exam/paper/content-store.ts';
import { recordStore } from '#server/exam/record/store.ts';
import { detailsReader } from '#server/exam/sitting/details.ts';
import { formulaSetter } from '#server/formulas.ts';
import type { ReadyJson } from '#server/http/answer.ts';
import { bytesOf } from '#server/http/kept-text.ts';
import { startServer } from '#server/test-process.ts';
import { makeSchool, median, report } from './measure.ts';

/**
 * What it buys that the text of a paper is made once and only the record's id is put before it (server/exam/sitting/details.ts):
 * `details` of 100 questions as it is, beside the same reader when its text has to be made anew for each answer. No web
 * server, so that nothing else is in the figures. Rounds alternate and the median of their ratios counts.
 */
const ANSWERS = 200;
const ROUNDS = 9;

const school = await makeSchool({
  students: 1,
  questions: 100,
  topic:
    '某企业为增值税一般纳税人，本月购入一台需要安装的设备，取得的增值税专用发票上注明价款与税额。下列说法正确的是（　）。',
});
const [student] = school.students;
if (student === undefined) throw new Error('the school has no student');
const server = await startServer({ dataDir: school.dataDir });
const started = await fetch(
  `http://127.0.0.1:${server.port}/app/exam/test_start?examId=${school.examId}&windowId=window-bench`,
  { headers: { cookie: `lixue_session=${student.token}` } },
);
const { data } = (await started.json()) as { data: { recordId: number } };
await server.stop();

const records = recordStore(school.db);
const readContent = contentReader();
const setFormulas = formulaSetter();
const kept = detailsReader({ db: school.db, records, readContent, setFormulas }).read;
// A copy is not the content the kept text was made of.
const anew = detailsReader({
  db: school.db,
  records,
  setFormulas,
  readContent: async (...asked) => ({ ...(await readContent(...asked)) }),
}).read;

const textOf = (answer: ReadyJson | null) =>
  answer === null || typeof answer.json === 'string' ? '' : bytesOf(answer.json).toString();
const asked = { userId: student.userId, recordId: data.recordId };
const text = textOf(await kept(asked));
if (text.length < 10_000 || text !== textOf(await anew(asked))) throw new Error('the two readers differ');

/** Microseconds for one answer. */
async function measure(read: typeof kept): Promise<number> {
  const began = performance.now();
  for (let at = 0; at < ANSWERS; at += 1) await read(asked);
  return ((performance.now() - began) * 1000) / ANSWERS;
}

const ratios: number[] = [];
const each = { kept: [] as number[], anew: [] as number[] };
for (let at = 0; at < ROUNDS; at += 1) {
  const before = await measure(anew);
  const after = await measure(kept);
  each.anew.push(before);
  each.kept.push(after);
  ratios.push(before / after);
}
await school.close();
report({
  name: 'exam_details',
  value: median(ratios),
  unit: 'times the speed of making the text anew',
  detail: `${Math.round(median(each.kept))} µs an answer beside ${Math.round(median(each.anew))} µs, ${(text.length / 1024).toFixed(0)} thousand signs`,
});

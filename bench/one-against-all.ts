import { startServer } from '#server/test-process.ts';
import { putLoad, wire } from './load.ts';
import { makeSchool, median, report } from './measure.ts';
import { openPapers } from './sitting.ts';

/**
 * One student does their worst, while strangers save: on many connections at once, each asking again as soon as it is
 * answered, lists, whole papers, starts of every paper, and answers as large as they may be. What a stranger's save takes
 * at its slowest (99 of 100), and how many times what it takes without them. Rounds alternate.
 */
const STRANGERS = 20;
const ATTACKS = 60;
const ROUNDS = 3;
const SECONDS = 2;
/** Records that the student has already: years of scripted starts. */
const RECORDS = 5000;

const school = await makeSchool({ students: STRANGERS + 1, questions: 200, topic: '题目'.repeat(100) });
const student = school.students[STRANGERS];
if (!student) throw new Error('nobody is there to do it');
const now = Date.now();
const day = 24 * 60 * 60 * 1000;
await school.db.transaction(async (trx) => {
  const rows = Array.from({ length: RECORDS }, (_, at) => ({
    user_id: student.userId,
    exam_id: school.examId,
    attempt: at + 1,
    pack_id: school.pack.packId,
    started_at: now - (RECORDS - at + 300) * (day / 100),
    submitted_at: now - (RECORDS - at + 300) * (day / 100) + 1,
    closed: 'submitted',
    ends_at: null,
    window_id: null,
    score: at % 100,
    layout: null,
  }));
  for (let from = 0; from < rows.length; from += 500)
    await trx
      .insertInto('exam_records')
      .values(rows.slice(from, from + 500))
      .execute();
});
const server = await startServer({ dataDir: school.dataDir });
const save = await openPapers(school, server.port, STRANGERS + 1);
const { packId } = school.pack;
const record = Number(/"recordId":(\d+)/.exec(save(STRANGERS, 0))?.[1]);
const large = JSON.stringify({
  examId: school.examId,
  recordId: record,
  questionId: school.questionIds[0],
  answer: 'A',
  windowId: 'window-bench',
  padding: 'x'.repeat(250_000),
});
const worst = [
  wire('GET', `/api/user/exam_list?pageSize=100&pageNum=40`, student.token),
  wire('GET', `/api/exam/exam_list?packId=${packId}`, student.token),
  wire('GET', `/app/question/index?packId=${packId}&type=1`, student.token),
  wire('GET', `/api/exam/details?recordId=${record}`, student.token),
  wire('GET', `/app/exam/test_start?examId=${school.examId}&windowId=window-bench`, student.token),
  wire('POST', '/app/exam/history', student.token, JSON.stringify({ examId: school.examId })),
  wire('POST', '/api/exam/save_question', student.token, large),
];

const strangers = () =>
  putLoad({ port: server.port, connections: STRANGERS, seconds: SECONDS, request: (at, turn) => save(at, turn) });
const attack = () =>
  putLoad({
    port: server.port,
    connections: ATTACKS,
    seconds: SECONDS,
    request: (at, turn) => worst[(at + turn) % worst.length] ?? null,
  });

await strangers();
const alone: number[] = [];
const against: number[] = [];
let asked = 0;
let refused = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const quiet = await strangers();
  const [beside, attacked] = await Promise.all([strangers(), attack()]);
  if (quiet.failed + beside.failed > 0) throw new Error(`${quiet.failed + beside.failed} saves of strangers failed`);
  alone.push(quiet.p99);
  against.push(beside.p99);
  asked += attacked.answered + attacked.failed;
  refused += attacked.failed;
}
await server.stop();
await school.close();
const slowest = Math.max(...against);
report({
  name: 'one_against_all_p99',
  value: slowest,
  unit: 'ms',
  detail: `a stranger's save beside one student's ${asked} calls on ${ATTACKS} connections (${refused} refused), ${(median(against) / median(alone)).toFixed(1)} times as without them (${median(alone).toFixed(1)} ms)`,
});

import { startServer } from '#server/test-process.ts';
import { putLoad, wire } from './load.ts';
import { makeSchool, report } from './measure.ts';

/**
 * Hand-in and review of a paper of 50 questions by 50 students who go on without a pause: each starts, hands in with all
 * answers inside, and looks at the review. How long the slowest hand-ins and reviews take decides how the end of an exam
 * feels.
 */
const STUDENTS = 50;
/** Papers each connection goes through; the first are the warming-up and are measured by themselves. */
const PAPERS = 40;
const WARMING = 5;

const school = await makeSchool({ students: STUDENTS * (PAPERS + WARMING), questions: 50 });
const server = await startServer({ dataDir: school.dataDir });
const kinds = ['start', 'hand-in', 'review'] as const;
const kindOf = (turn: number) => kinds[turn % kinds.length] ?? 'start';
let done = 0;

async function sit(papers: number) {
  const before = done;
  done += papers;
  const records: number[] = [];
  const measured = await putLoad({
    port: server.port,
    connections: STUDENTS,
    seconds: 120,
    kind: kindOf,
    request: (connection, turn) => {
      const paper = Math.floor(turn / kinds.length);
      if (paper >= papers) return null;
      const token = school.students[(before + paper) * STUDENTS + connection]?.token ?? '';
      const recordId = records[connection];
      switch (kindOf(turn)) {
        case 'start':
          return wire('GET', `/app/exam/test_start?examId=${school.examId}&windowId=window-bench`, token);
        case 'hand-in': {
          const answers = school.questionIds.map((questionId, at) => ({
            questionId,
            answer: 'AB'[(at + connection) % 2],
            seq: at + 1,
          }));
          const body = { examId: school.examId, recordId, windowId: 'window-bench', totalTime: 60, answers };
          return wire('POST', '/api/exam/submit', token, JSON.stringify(body));
        }
        case 'review':
          return wire('GET', `/app/exam/review?recordId=${recordId}`, token);
      }
    },
    answer: (connection, turn, body) => {
      if (kindOf(turn) === 'start') records[connection] = Number(/"recordId":(\d+)/.exec(body)?.[1] ?? 0);
    },
  });
  if (measured.failed > 0) throw new Error(`${measured.failed} requests failed`);
  return measured;
}

await sit(WARMING);
const { kinds: latencies, perSecond } = await sit(PAPERS);
await server.stop();
await school.close();
for (const [name, kind] of [
  ['hand_in_p99', 'hand-in'],
  ['review_p99', 'review'],
] as const) {
  const { p50, p99 } = latencies.get(kind) ?? { p50: 0, p99: 0 };
  report({
    name,
    value: p99,
    unit: 'ms',
    detail: `half within ${p50.toFixed(1)} ms; ${STUDENTS} students without a pause, ${Math.round(perSecond / kinds.length)} whole papers of 50 questions/s`,
  });
}

import { putLoad, wire } from './load.ts';
import type { School } from './measure.ts';

/** Opens the paper of a school for as many students as there are connections. @returns the save of each next turn */
export async function openPapers(
  school: School,
  port: number,
  connections: number,
): Promise<(connection: number, turn: number) => string> {
  const tokenOf = (connection: number) => school.students[connection]?.token ?? '';
  const records: number[] = [];
  await putLoad({
    port,
    connections,
    seconds: 60,
    request: (connection, turn) =>
      turn > 0
        ? null
        : wire('GET', `/app/exam/test_start?examId=${school.examId}&windowId=window-bench`, tokenOf(connection)),
    answer: (connection, _, body) => {
      records[connection] = (JSON.parse(body) as { data: { recordId: number } }).data.recordId;
    },
  });
  let seq = 0;
  return (connection, turn) => {
    seq += 1;
    const body = JSON.stringify({
      examId: school.examId,
      recordId: records[connection],
      questionId: school.questionIds[turn % school.questionIds.length],
      answer: 'AB'[seq % 2],
      totalTime: turn,
      seq,
      windowId: 'window-bench',
    });
    return wire('POST', '/api/exam/save_question', tokenOf(connection), body);
  };
}

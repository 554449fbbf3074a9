import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { CardBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { kindNames } from '#web/exam/paper.ts';
import { PrintPage, PrintSheet, PrintTools } from '#web/exam/print/PrintSheet.tsx';
import { formatScore } from '#web/exam/score.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';

type Paper = Data<'GET /app/exam/print'>;

/** Any paper on paper: as a record shows it or as it stands, with the answers where they may be seen. */
export default function PaperPrintPage() {
  const [search] = useSearchParams();
  const examId = idFrom(search.get('exam'));
  const recordId = idFrom(search.get('record')) ?? undefined;
  useTitle(t('打印试卷'));
  return <PrintPage>{examId === null ? <Missing /> : <Sheet examId={examId} recordId={recordId} />}</PrintPage>;
}

interface MissingProps {
  text?: string;
  /** Where to go on: 考题中心 unless said otherwise. */
  to?: string;
  word?: string;
}

function Missing({ text = t('没有找到您要的内容'), to = paths.examCenter(), word = t('去考题中心') }: MissingProps) {
  return (
    <EmptyState
      text={text}
      action={
        <Button component={Link} to={to}>
          {word}
        </Button>
      }
    />
  );
}

function Sheet({ examId, recordId }: { examId: number; recordId: number | undefined }) {
  const [wanted, setWanted] = useState(true);
  const call = useCall('GET /app/exam/print', { examId, recordId }, { staleTime: 0, gcTime: 0 });
  const paper = call.data;
  return (
    <>
      {paper && (
        <PrintTools
          back={backTo(paper, recordId)}
          ready
          answers={paper.keys ? wanted : null}
          why={t('交卷后才能打印答案与解析')}
          onAnswers={setWanted}
        />
      )}
      <CallState
        call={call}
        skeleton={<CardBones count={3} height={160} />}
        refusals={{
          notFound: <Missing />,
          notEnrolled: <Missing text={t('请先报名该课程')} />,
          printAfterStart: <Missing text={t('开始这份试卷后才能打印')} />,
          madeBeforeExam: (
            <Missing
              text={call.error ? t(call.error.msg) : undefined}
              to={paths.myExams({ state: 'open' })}
              word={t('继续作答')}
            />
          ),
        }}
      >
        {(shown) => (
          <PrintSheet
            title={shown.examName}
            facts={[
              shown.packName,
              t(kindNames[shown.kind] ?? ''),
              t('{count} 题', { count: shown.totalQuestion }),
              t('满分 {score}', { score: formatScore(shown.totalScore) }),
              shown.examTime === null ? t('不限时') : t('{minutes} 分钟', { minutes: shown.examTime }),
            ]}
            questions={shown.questions.map((question) => ({
              question,
              note: '',
              withheld: question.showAnswerFlag === 0,
            }))}
            cases={shown.cases}
            sections={shown.sections}
            answers={shown.keys && wanted}
          />
        )}
      </CallState>
    </>
  );
}

/** Where a sheet was asked for: the result or the record it shows, else where its paper is found. */
function backTo({ kind, examId, recordId, keys }: Paper, named: number | undefined): string {
  if (recordId !== null && named !== undefined)
    return keys && kind !== 'own' ? paths.examResult(recordId) : paths.exam(examId, { record: recordId });
  return kind === 'random' ? paths.randomPaper() : paths.examCenter();
}

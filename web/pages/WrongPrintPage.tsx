import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { CardBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { useMyPack } from '#web/exam/center/useMyPack.ts';
import { PrintPage, PrintSheet, PrintTools } from '#web/exam/print/PrintSheet.tsx';
import { MOST_READ, readAll } from '#web/exam/wrong/read-all.ts';
import { filterFrom } from '#web/exam/wrong/wrong-filter.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { patterns } from '#web/lib/paths.ts';
import type { CallError } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { NotJoined } from './NotJoined.tsx';

/** The wrong-question list on paper: what its filter shows, with the answers at the end or without. */
export default function WrongPrintPage() {
  const [search] = useSearchParams();
  useTitle(t('打印错题'));
  const { mine, packs, pack } = useMyPack(search.get('packId'));
  return (
    <PrintPage>
      <CallState call={mine} skeleton={<CardBones count={3} height={160} />}>
        {() =>
          pack === null ? (
            <NotJoined named={search.get('packId')} any={packs.length > 0} />
          ) : (
            <Sheet packId={pack.packId} packName={pack.packageName} />
          )
        }
      </CallState>
    </PrintPage>
  );
}

function Sheet({ packId, packName }: { packId: number; packName: string }) {
  const [search] = useSearchParams();
  const filter = filterFrom(search);
  const [answers, setAnswers] = useState(true);
  const [now] = useState(serverNow);
  const all = useQuery<Awaited<ReturnType<typeof readAll>>, CallError>({
    queryKey: ['GET /api/exam/error', 'print', packId, search.toString()],
    queryFn: () => readAll(packId, filter, now),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <>
      <PrintTools
        back={{ pathname: patterns.wrongQuestions, search: search.toString() }}
        ready={all.data !== undefined}
        answers={answers}
        onAnswers={setAnswers}
      />
      <CallState
        call={all}
        skeleton={<CardBones count={3} height={160} />}
        empty={{ when: ({ questions }) => questions.length === 0, show: <EmptyState text={t('没有这样的题。')} /> }}
      >
        {({ questions, cases, total }) => (
          <PrintSheet
            title={filter.tab === 'collected' ? t('收藏的题') : t('错题本')}
            facts={[
              packName,
              t('{count} 题', { count: questions.length }),
              ...(total > MOST_READ ? [t('只列出前 {count} 题', { count: MOST_READ })] : []),
              formatDay(now, now),
            ]}
            questions={questions}
            cases={cases}
            sections={null}
            answers={answers}
          />
        )}
      </CallState>
    </>
  );
}

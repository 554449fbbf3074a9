import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { type SchoolScoredKind, schoolScoredKinds } from '#contract/values/exam.ts';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { kindPath } from '#web/exam/center/CenterHead.tsx';
import { PaperList } from '#web/exam/center/PaperList.tsx';
import { kindNames } from '#web/exam/paper.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { useQuery } from '#web/lib/query.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { ExamCenterFrame } from './ExamCenterFrame.tsx';

/** 考题中心: the papers of a pack by kind and year; its trees have addresses of their own. */
export default function ExamCenterPage() {
  const [search, setQuery] = useQuery();
  const kind = schoolScoredKinds.find((name) => name === search.get('kind')) ?? 'mock';
  const year = /^\d{4}$/.test(search.get('year') ?? '') ? Number(search.get('year')) : undefined;
  useTitle(t('考题中心'));
  return (
    <ExamCenterFrame kind={kind}>
      {(packId) => (
        <>
          {kind === 'past' && (
            <Years packId={packId} year={year} onYear={(next) => setQuery({ packId, year: next ?? null })} />
          )}
          <Papers packId={packId} kind={kind} year={kind === 'past' ? year : undefined} />
        </>
      )}
    </ExamCenterFrame>
  );
}

function Papers({ packId, kind, year }: { packId: number; kind: SchoolScoredKind; year: number | undefined }) {
  // Asked anew on each visit: coming back from an exam, its score and state must be the present ones.
  const papers = useCall('GET /api/exam/exam_list', { packId, kind, year }, { staleTime: 0, keepPrevious: false });
  return (
    <CallState
      call={papers}
      skeleton={<RowBones count={4} height={84} />}
      empty={{
        when: ({ list }) => list.length === 0,
        show: (
          <EmptyState
            text={t('这门课程还没有{kind}。先做做章节练习吧。', { kind: t(kindNames[kind] ?? '') })}
            action={
              <Button component={Link} to={kindPath('chapter', packId)} variant="default">
                {t('去章节练习')}
              </Button>
            }
          />
        ),
      }}
    >
      {({ list }) => <PaperList papers={list} />}
    </CallState>
  );
}

function Years({
  packId,
  year,
  onYear,
}: {
  packId: number;
  year: number | undefined;
  onYear: (year: number | undefined) => void;
}) {
  const { data } = useCall('GET /api/exam/year_list', { packId }, { staleTime: 60_000 });
  if (!data || (data.list.length < 2 && year === undefined)) return null;
  return (
    <Pills
      label={t('年份')}
      value={year}
      choices={[
        [undefined, t('全部年份')],
        ...data.list.map((choice) => [choice, t('{year} 年', { year: choice })] as const),
      ]}
      onChoose={onYear}
    />
  );
}

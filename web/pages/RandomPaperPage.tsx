import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { kindPath } from '#web/exam/center/CenterHead.tsx';
import { RandomPaperForm } from '#web/exam/center/RandomPaperForm.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { ExamCenterFrame } from './ExamCenterFrame.tsx';
import { OwnRandomPapers } from './OwnRandomPapers.tsx';

/** 随机组卷: a paper drawn from chapters and types by the student's own blueprint, and those they sat before. */
export default function RandomPaperPage() {
  useTitle(t('随机组卷'));
  return <ExamCenterFrame kind="random">{(packId) => <Compose packId={packId} key={packId} />}</ExamCenterFrame>;
}

function Compose({ packId }: { packId: number }) {
  const options = useCall('GET /app/exam/random_options', { packId }, { staleTime: 0 });
  return (
    <>
      <OwnRandomPapers packId={packId} />
      <CallState
        call={options}
        skeleton={<RowBones count={6} height={52} />}
        empty={{
          when: ({ chapters }) => chapters.every(({ types }) => types.length === 0),
          show: (
            <EmptyState
              text={t('这门课程还没有可以抽取的题。')}
              action={
                <Button component={Link} to={kindPath('mock', packId)} variant="default">
                  {t('去考题中心')}
                </Button>
              }
            />
          ),
        }}
      >
        {({ chapters, last }) => <RandomPaperForm packId={packId} bank={chapters} last={last} />}
      </CallState>
    </>
  );
}

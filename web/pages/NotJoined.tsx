import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';

/** Instead of exams: the person has joined no pack, or not the one that the address names. */
export function NotJoined({ named, any }: { named: string | null; any: boolean }) {
  const packId = idFrom(named);
  if (packId !== null) return <NotJoinedTo packId={packId} />;
  return <Choose text={any ? t('请先报名该课程') : t('还没有报名课程，报名后就能做题。')} />;
}

/** A pack that nobody can join is not asked to be joined. */
function NotJoinedTo({ packId }: { packId: number }) {
  const call = useCall('GET /api/common/course_details', { packId });
  return (
    <CallState call={call} skeleton={<RowBones />} refusals={{ notFound: <Choose text={t('没有找到您要的内容')} /> }}>
      {() => (
        <EmptyState
          text={t('请先报名该课程')}
          action={
            <Button component={Link} to={paths.course(packId)}>
              {t('查看课程')}
            </Button>
          }
        />
      )}
    </CallState>
  );
}

function Choose({ text }: { text: string }) {
  return (
    <EmptyState
      text={text}
      action={
        <Button component={Link} to={paths.courses()}>
          {t('挑选课程')}
        </Button>
      }
    />
  );
}

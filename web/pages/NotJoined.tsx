import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '#ui/EmptyState.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';

/** Instead of exams: the person has joined no pack, or not the one that the address names. */
export function NotJoined({ named, any }: { named: string | null; any: boolean }) {
  const packId = idFrom(named);
  return (
    <EmptyState
      text={packId === null && !any ? t('还没有报名课程，报名后就能做题。') : t('请先报名该课程')}
      action={
        <Button component={Link} to={packId === null ? paths.courses() : paths.course(packId)}>
          {packId === null ? t('挑选课程') : t('查看课程')}
        </Button>
      }
    />
  );
}

import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '#ui/EmptyState.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';

/** Instead of the result of a record that is not there, belongs to somebody else, or (`open`) is still being worked on. */
export function NoSuchRecord({ open = false }: { open?: boolean }) {
  return (
    <EmptyState
      text={open ? t('这份答卷还没有交卷，交卷后才能查看。') : t('没有找到这份答卷。')}
      action={
        <Button component={Link} to={paths.myExams(open ? { state: 'open' } : {})}>
          {open ? t('继续作答') : t('我的考试')}
        </Button>
      }
    />
  );
}

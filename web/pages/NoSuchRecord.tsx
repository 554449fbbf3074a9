import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { ListState } from '#ui/ListState.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';

/** Instead of a record that is not there, or belongs to somebody else. */
export function NoSuchRecord() {
  return (
    <ListState
      loading={false}
      error={null}
      onRetry={() => undefined}
      empty
      emptyText={t('没有找到这份答卷。')}
      emptyAction={
        <Button component={Link} to={paths.myExams()}>
          {t('我的考试')}
        </Button>
      }
      skeleton={null}
    >
      {null}
    </ListState>
  );
}

import type { ReactNode } from 'react';
import { CardBones } from '#ui/Bones.tsx';
import { ListState } from '#ui/ListState.tsx';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { PackCard } from './PackCard.tsx';
import classes from './PackShelf.module.css';

interface Props {
  /** All packs of the school, or those the person has joined. */
  of: 'school' | 'me';
  /** Level of the packs' names: one below the heading that the shelf stands under. */
  heading: 'h2' | 'h3';
  emptyText: string;
  emptyAction?: ReactNode;
}

/** The packs as cards, with the states every list has. */
export function PackShelf({ of, heading, emptyText, emptyAction }: Props) {
  const all = useCall('GET /api/common/course_list', {}, { enabled: of === 'school' });
  const mine = useCall('GET /api/user/course_list', {}, { enabled: of === 'me' });
  const { data, error, refetch } = of === 'school' ? all : mine;
  return (
    <ListState
      loading={data === undefined}
      error={data === undefined && error !== null ? t(error.msg) : null}
      onRetry={() => void refetch()}
      empty={data?.list.length === 0}
      emptyText={emptyText}
      emptyAction={emptyAction}
      skeleton={<CardBones />}
    >
      <ul className={classes.shelf}>
        {data?.list.map((pack) => (
          <li key={pack.packId}>
            <PackCard pack={pack} mine={of === 'me'} heading={heading} />
          </li>
        ))}
      </ul>
    </ListState>
  );
}

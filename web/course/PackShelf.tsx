import type { ReactNode } from 'react';
import { CardBones } from '#ui/Bones.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { useCall } from '#web/lib/useCall.ts';
import { PackCard } from './PackCard.tsx';
import classes from './PackShelf.module.css';

interface Props {
  /** All packs of the school, or those the person has joined. */
  of: 'school' | 'me';
  /** Level of the packs' names: one below the heading that the shelf stands under. */
  heading: 'h2' | 'h3';
  /** Stands there when the shelf has no packs. */
  empty: ReactNode;
}

/** The packs as cards, with the states every list has. */
export function PackShelf({ of, heading, empty }: Props) {
  const all = useCall('GET /api/common/course_list', {}, { enabled: of === 'school' });
  const mine = useCall('GET /api/user/course_list', {}, { enabled: of === 'me' });
  return (
    <CallState
      call={of === 'school' ? all : mine}
      skeleton={<CardBones />}
      empty={{ when: ({ list }) => list.length === 0, show: empty }}
    >
      {({ list }) => (
        <ul className={classes.shelf}>
          {list.map((pack) => (
            <li key={pack.packId}>
              <PackCard pack={pack} mine={of === 'me'} heading={heading} />
            </li>
          ))}
        </ul>
      )}
    </CallState>
  );
}

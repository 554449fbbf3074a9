import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { useQuery } from '#web/lib/query.ts';
import type { Data } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './PackChoice.module.css';

type Pack = Data<'GET /api/user/course_list'>['list'][number];

interface Props {
  /** Which of one's packs there is something to show of. */
  only?: (pack: Pack) => boolean;
  /** Which is shown at first, where it is one of them; left out: the one studied last. */
  first?: number | undefined;
  /** Said where there is no such pack. */
  none: string;
  children: (packId: number) => ReactNode;
}

/** One of one's packs, the address's or else the first one: for what is kept by pack. */
export function PackChoice({ only = () => true, first, none, children }: Props) {
  const [search, change] = useQuery();
  const call = useCall('GET /api/user/course_list', {}, { staleTime: 0 });
  return (
    <CallState
      call={call}
      skeleton={<RowBones count={3} height={120} />}
      empty={{
        when: ({ list }) => !list.some(only),
        show: (
          <EmptyState
            text={none}
            action={
              <Button component={Link} to={paths.courses()} variant="default">
                {t('挑选课程')}
              </Button>
            }
          />
        ),
      }}
    >
      {({ list }) => {
        const packs = list.filter(only);
        const asked = idFrom(search.get('packId'));
        const isThere = (id: number | null | undefined) => packs.some(({ packId }) => packId === id);
        const packId = [asked, first].find(isThere) ?? packs[0]?.packId ?? 0;
        return (
          <>
            {packs.length > 1 && (
              <div className={classes.packs}>
                <Pills
                  label={tIn('one', '课程')}
                  value={packId}
                  choices={packs.map((pack) => [pack.packId, pack.packageName] as const)}
                  onChoose={(next) => change({ packId: String(next) })}
                />
              </div>
            )}
            {children(packId)}
          </>
        );
      }}
    </CallState>
  );
}

import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { CardBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { PackCard } from './PackCard.tsx';
import classes from './PackShelf.module.css';

interface Props {
  /** All packs of the school, or those the person has joined. */
  of: 'school' | 'me';
  /** Level of the packs' names: one below the heading that the shelf stands under. */
  heading: 'h2' | 'h3';
  /** The exams of packs as their student set them, where that is known. */
  examDates?: ReadonlyMap<number, string | null>;
}

/** The packs as cards, with the states every list has. */
export function PackShelf({ of, heading, examDates }: Props) {
  const all = useCall('GET /api/common/course_list', {}, { enabled: of === 'school' });
  const mine = useCall('GET /api/user/course_list', {}, { enabled: of === 'me' });
  const { data, error, refetch } = of === 'school' ? all : mine;
  return (
    <CallState
      call={{ data, error, refetch }}
      skeleton={<CardBones />}
      empty={{ when: ({ list }) => list.length === 0, show: of === 'school' ? <NothingOffered /> : <NothingJoined /> }}
    >
      {({ list }) => (
        <ul className={classes.shelf}>
          {list.map((pack) => (
            <li key={pack.packId}>
              <PackCard
                pack={{ ...pack, examDate: examDates?.get(pack.packId) ?? pack.examDate }}
                mine={of === 'me'}
                heading={heading}
              />
            </li>
          ))}
        </ul>
      )}
    </CallState>
  );
}

function NothingOffered() {
  return <EmptyState text={t('学校还没有发布课程，请稍后再来。')} />;
}

function NothingJoined() {
  return (
    <EmptyState
      text={t('还没有报名课程。挑一门开始，章节练习和模拟考试就在课程里。')}
      action={
        <Button component={Link} to={paths.courses()}>
          {t('挑选课程')}
        </Button>
      }
    />
  );
}

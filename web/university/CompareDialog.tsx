import { Modal } from '@mantine/core';
import '#ui/dialog.css';
import { useMediaQuery } from '@mantine/hooks';
import { IconFlag3Filled } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { CallError, type Data, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { callKey, shouldRetry } from '#web/lib/useCall.ts';
import classes from './CompareDialog.module.css';
import { levelsOf } from './levels.ts';
import { placeOf } from './place.ts';
import { UniversityMark } from './UniversityMark.tsx';
import type { UseGoal } from './useGoal.ts';
import { universitiesStay } from './useUniversities.ts';

type Details = Data<'GET /app/university/details'>;

/** Up to three universities side by side. */
export function CompareDialog({ opened, goal, onClose }: { opened: boolean; goal: UseGoal; onClose: () => void }) {
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={1000}
      fullScreen={phone}
      title={t('院校对比')}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      {opened && <Table goal={goal} />}
    </Modal>
  );
}

function Table({ goal }: { goal: UseGoal }) {
  const name = 'GET /app/university/details';
  const asked = useQueries({
    queries: goal.goal.compare.map(({ id }) => ({
      queryKey: callKey(name, { id }),
      queryFn: ({ signal }: { signal: AbortSignal }) => send(name, { id }, { signal }),
      staleTime: universitiesStay,
      retry: shouldRetry,
    })),
  });
  const failure = asked.find(({ data, error }) => data === undefined && error instanceof CallError)?.error;
  const arrived = asked.flatMap(({ data }) => data ?? []);
  return (
    <CallState
      call={{
        data: arrived.length === asked.length ? arrived : undefined,
        error: failure instanceof CallError ? failure : null,
        refetch: () => {
          for (const query of asked) if (query.error !== null) void query.refetch();
        },
      }}
      skeleton={<TextBones lines={10} />}
      empty={{
        when: (universities) => universities.length === 0,
        show: <EmptyState text={t('还没有选择要对比的院校，在院校卡片上点对比图标加入')} />,
      }}
    >
      {(universities) => (
        /* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */
        <section className={classes.scroll} tabIndex={0} aria-label={t('院校对比')}>
          <table className={classes.table}>
            <thead>
              <tr>
                <td />
                {universities.map((one) => (
                  <th key={one.id} scope="col">
                    <UniversityMark logoUrl={one.logoUrl} name={one.name} size={48} />
                    <span className={classes.name} lang="zh-CN">
                      {one.name}
                    </span>
                    <TargetButton university={one} goal={goal} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map(({ word, value }) => (
                <tr key={word}>
                  <th scope="row">{word}</th>
                  {universities.map((one) => {
                    const shown = value(one);
                    return (
                      <td
                        key={one.id}
                        data-unknown={shown === '' || undefined}
                        lang={shown === '' ? undefined : 'zh-CN'}
                      >
                        {shown === '' ? t('暂无') : shown}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </CallState>
  );
}

function TargetButton({ university, goal }: { university: Details; goal: UseGoal }) {
  if (goal.isTarget(university.id)) {
    return (
      <span className={classes.target}>
        <IconFlag3Filled size={15} aria-hidden />
        {t('目标院校')}
      </span>
    );
  }
  return (
    <WaitButton
      variant="default"
      size="xs"
      aria-label={t('设 {name} 为目标院校', { name: university.name })}
      waiting={goal.isWaiting('target', university.id)}
      blocked={goal.busy}
      onClick={() => void goal.toggleTarget(university.id)}
    >
      {t('设为目标')}
    </WaitButton>
  );
}

const rows = (): readonly { word: string; value: (one: Details) => ReactNode }[] => [
  { word: t('院校层次'), value: (one) => levelsOf(one).join(' · ') },
  { word: t('隶属'), value: (one) => one.relationship },
  { word: t('主管部门'), value: (one) => one.affiliation },
  { word: t('所在地'), value: placeOf },
  { word: t('类型'), value: (one) => one.tags.join(' · ') },
  {
    word: t('官方网站'),
    value: (one) =>
      one.officialWeb && (
        <a href={one.officialWeb} target="_blank" rel="noopener noreferrer nofollow">
          {one.officialWeb.replace(/^https?:\/\//, '')}
          <span className="unseen">{t('（在新窗口打开）')}</span>
        </a>
      ),
  },
  { word: t('电话'), value: (one) => one.tel },
  { word: t('地址'), value: (one) => one.schoolLocation },
  { word: t('历史沿革'), value: (one) => one.historicalContinuation },
  { word: t('教育教学'), value: (one) => one.education },
  { word: t('实验室情况'), value: (one) => one.laboratorySituation },
  { word: t('学科评估'), value: (one) => one.subjectReview },
  { word: t('专业设置'), value: (one) => one.specialty },
  { word: t('重点信息'), value: (one) => one.keyInformationPoints },
];

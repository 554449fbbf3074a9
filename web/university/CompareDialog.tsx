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
import { provinceAndCity } from './province-city.ts';
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
                {universities.map((university) => (
                  <th key={university.id} scope="col">
                    <UniversityMark logoUrl={university.logoUrl} name={university.name} size={48} />
                    <span className={classes.name} lang="zh-CN">
                      {university.name}
                    </span>
                    <TargetButton university={university} goal={goal} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map(({ word, value }) => (
                <tr key={word}>
                  <th scope="row">{word}</th>
                  {universities.map((university) => {
                    const shown = value(university);
                    return (
                      <td
                        key={university.id}
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

const rows = (): readonly { word: string; value: (university: Details) => ReactNode }[] => [
  { word: t('院校层次'), value: (university) => levelsOf(university).join(' · ') },
  { word: t('隶属'), value: (university) => university.relationship },
  { word: t('主管部门'), value: (university) => university.affiliation },
  { word: t('所在地'), value: provinceAndCity },
  { word: t('类型'), value: (university) => university.tags.join(' · ') },
  {
    word: t('官方网站'),
    value: (university) =>
      university.officialWeb && (
        <a href={university.officialWeb} target="_blank" rel="noopener noreferrer nofollow">
          {university.officialWeb.replace(/^https?:\/\//, '')}
          <span className="unseen">{t('（在新窗口打开）')}</span>
        </a>
      ),
  },
  { word: t('电话'), value: (university) => university.tel },
  { word: t('地址'), value: (university) => university.schoolLocation },
  { word: t('历史沿革'), value: (university) => university.historicalContinuation },
  { word: t('教育教学'), value: (university) => university.education },
  { word: t('实验室情况'), value: (university) => university.laboratorySituation },
  { word: t('学科评估'), value: (university) => university.subjectReview },
  { word: t('专业设置'), value: (university) => university.specialty },
  { word: t('重点信息'), value: (university) => university.keyInformationPoints },
];

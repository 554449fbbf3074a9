import { useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { type SchoolKind, schoolKinds } from '#contract/values/exam.ts';
import { useCurrentInView } from '#ui/useCurrentInView.ts';
import { PackPicker } from '#web/lib/PackPicker.tsx';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { currentLanguage, msg, t } from '#web/lib/t.ts';
import { kindNames } from '../paper.ts';
import classes from './CenterHead.module.css';

type Pack = Data<'GET /api/user/course_list'>['list'][number];

/** A page of 考题中心: a kind of exam, papers of one's own, the wrong-question list, or the figures. */
export type CenterTab = SchoolKind | 'random' | 'wrong' | 'statistics';
const tabs: readonly CenterTab[] = [...schoolKinds, 'random', 'wrong', 'statistics'];
const ownNames: Readonly<Record<string, string>> = { wrong: msg('错题本'), statistics: msg('学习统计') };

/** Where a page of a pack is found: trees and lists have different addresses (spec §2). */
export function kindPath(kind: CenterTab, packId: number): string {
  if (kind === 'wrong') return paths.wrongQuestions({ packId });
  if (kind === 'random') return paths.randomPaper({ packId });
  if (kind === 'statistics') return paths.statistics({ packId });
  if (kind === 'chapter') return paths.chapterExam({ packId, type: 1 });
  if (kind === 'afterclass') return paths.chapterExam({ packId, type: 2 });
  return paths.examCenter({ packId, kind });
}

interface Props {
  packs: readonly Pack[];
  pack: Pack;
  kind: CenterTab;
}

/** Title, pack picker and the kinds of exam: the same on all pages of 考题中心. */
export function CenterHead({ packs, pack, kind }: Props) {
  const navigate = useNavigate();
  const bar = useRef<HTMLElement>(null);
  useCurrentInView(bar, `${kind} ${currentLanguage()}`);
  return (
    <>
      <div className={classes.top}>
        <h1>{t('考题中心')}</h1>
        <PackPicker packs={packs} packId={pack.packId} onChoose={(packId) => navigate(kindPath(kind, packId))} />
      </div>
      <nav ref={bar} className={classes.kinds} aria-label={t('题目类型')}>
        {tabs.map((tab) => (
          <Link key={tab} to={kindPath(tab, pack.packId)} aria-current={tab === kind ? 'page' : undefined}>
            {t(ownNames[tab] ?? kindNames[tab] ?? '')}
          </Link>
        ))}
      </nav>
    </>
  );
}

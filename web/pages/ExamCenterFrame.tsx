import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { SchoolKind } from '#contract/values/exam.ts';
import { RowBones } from '#ui/Bones.tsx';
import { CenterHead } from '#web/exam/centre/CenterHead.tsx';
import { useMyPack } from '#web/exam/centre/useMyPack.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { NotJoined } from './NotJoined.tsx';
import page from './page.module.css';

/** The frame of every page of 考题中心: its head, and below it what `children` shows of the pack that the address names. */
export function ExamCenterFrame({ kind, children }: { kind: SchoolKind; children: (packId: number) => ReactNode }) {
  const [search] = useSearchParams();
  const { mine, packs, pack } = useMyPack(search.get('packId'));
  return (
    <div className={page.page}>
      <CallState call={mine} skeleton={<RowBones />}>
        {() =>
          pack === null ? (
            <NotJoined named={search.get('packId')} any={packs.length > 0} />
          ) : (
            <>
              <CenterHead packs={packs} pack={pack} kind={kind} />
              {children(pack.packId)}
            </>
          )
        }
      </CallState>
    </div>
  );
}

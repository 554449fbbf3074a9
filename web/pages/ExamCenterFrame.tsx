import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { CenterHead, type CenterTab } from '#web/exam/center/CenterHead.tsx';
import { useMyPack } from '#web/exam/center/useMyPack.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { NotJoined } from './NotJoined.tsx';
import page from './page.module.css';

/** The frame of every page of 考题中心: its head, and below it what `children` shows of the pack that the address names. */
export function ExamCenterFrame({ kind, children }: { kind: CenterTab; children: (packId: number) => ReactNode }) {
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

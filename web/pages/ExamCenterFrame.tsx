import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { ListState } from '#ui/ListState.tsx';
import { CenterHead, type Kind } from '#web/exam/centre/CenterHead.tsx';
import { useMyPack } from '#web/exam/centre/useMyPack.ts';
import { t } from '#web/lib/t.ts';
import { NotJoined } from './NotJoined.tsx';
import page from './page.module.css';

/** The frame of every page of 考题中心: its head, and below it what `children` shows of the pack that the address names. */
export function ExamCenterFrame({ kind, children }: { kind: Kind; children: (packId: number) => ReactNode }) {
  const [search] = useSearchParams();
  const { mine, packs, pack } = useMyPack(search.get('packId'));
  return (
    <div className={page.page}>
      <ListState
        loading={mine.data === undefined}
        error={mine.data === undefined && mine.error ? t(mine.error.msg) : null}
        onRetry={() => void mine.refetch()}
        skeleton={<RowBones />}
      >
        {pack === null ? (
          <NotJoined named={search.get('packId')} any={packs.length > 0} />
        ) : (
          <>
            <CenterHead packs={packs} pack={pack} kind={kind} />
            {children(pack.packId)}
          </>
        )}
      </ListState>
    </div>
  );
}

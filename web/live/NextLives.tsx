import type { ReactNode } from 'react';
import { ENDED, REPLAY } from '#contract/values/live.ts';
import { useCall } from '#web/lib/useCall.ts';
import { LiveRows } from './LiveRows.tsx';
import { SchoolLives } from './SchoolLives.tsx';
import { useLives } from './useLives.ts';

/** So many are shown on home. */
const SHOWN = 3;

interface Props {
  /** Puts what there is into its section; nothing is shown where nothing is planned. */
  around: (rows: ReactNode) => ReactNode;
}

/** What is live or comes next in the packs that a student has. */
export function OwnNextLives({ around }: Props) {
  const { data } = useLives({ pageSize: SHOWN });
  const next = data?.list.filter(({ state }) => state !== ENDED && state !== REPLAY) ?? [];
  return next.length === 0 ? null : around(<LiveRows list={next} signedIn named heading="h3" />);
}

/** What is live or comes next in the school, for visitors. */
export function SchoolNextLives({ around }: Props) {
  const { data } = useCall('GET /api/common/live', {});
  const next = data?.list.slice(0, SHOWN) ?? [];
  return next.length === 0 ? null : around(<SchoolLives list={next} signedIn={false} />);
}

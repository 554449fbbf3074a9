import { RowBones } from '#ui/Bones.tsx';

/** The panels of 课程学习 whose code comes after the film. */
export const loadPanels = () => import('./PlayPanels.tsx');

/** What a part of the page that shows such panels is told. */
export interface LateProps {
  /** Null: not there yet. */
  panels: Awaited<ReturnType<typeof loadPanels>> | null;
  /** One of them is looked for now. */
  onWanted: () => void;
}

/** In the place of a panel whose code is on its way. */
export const Coming = () => <RowBones count={3} height={76} />;

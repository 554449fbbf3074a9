import { Modal } from '@mantine/core';
import '#ui/dialog.css';
import { useMediaQuery } from '@mantine/hooks';
import { TextBones } from '#ui/Bones.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { Detail } from './Detail.tsx';
import classes from './DetailDialog.module.css';
import type { UseGoal } from './useGoal.ts';
import { universitiesStay } from './useUniversities.ts';

interface Props {
  /** The open university; null: closed. */
  id: number | null;
  goal: UseGoal;
  onClose: () => void;
}

/** The details of one university over the list (spec §2). */
export function DetailDialog({ id, goal, onClose }: Props) {
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={id !== null}
      onClose={onClose}
      size={860}
      padding={0}
      fullScreen={phone}
      title={t('院校详情')}
      closeButtonProps={{ 'aria-label': t('关闭') }}
      classNames={{ header: classes.header, body: classes.body, content: classes.content }}
    >
      {id !== null && <Content key={id} id={id} goal={goal} />}
    </Modal>
  );
}

function Content({ id, goal }: { id: number; goal: UseGoal }) {
  const details = useCall('GET /app/university/details', { id }, { staleTime: universitiesStay });
  return (
    <CallState
      call={details}
      skeleton={
        <div className={classes.bones}>
          <TextBones lines={8} />
        </div>
      }
    >
      {(university) => <Detail university={university} goal={goal} />}
    </CallState>
  );
}

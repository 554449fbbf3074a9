import { Modal } from '@mantine/core';
import '#ui/dialog.css';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCount } from './format.ts';
import classes from './PackPicker.module.css';
import type { Data } from './send.ts';
import { t } from './t.ts';

type Pack = Data<'GET /api/user/course_list'>['list'][number];

interface Props {
  /** Those of the person, last studied first. */
  packs: readonly Pack[];
  packId: number;
  onChoose: (packId: number) => void;
}

/** Which of one's own courses a page is about, chosen in a dialog (选择课程, spec §2). With one course there is nothing to choose. */
export function PackPicker({ packs, packId, onChoose }: Props) {
  const [opened, setOpened] = useState(false);
  const chosen = packs.find((pack) => pack.packId === packId);
  if (packs.length < 2) return <p className={classes.only}>{chosen?.packageName}</p>;
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-haspopup="dialog"
        aria-label={t('选择课程，当前：{name}', { name: chosen?.packageName ?? '' })}
        onClick={() => setOpened(true)}
      >
        <span>{chosen?.packageName}</span>
        <IconSelector size={18} stroke={1.6} aria-hidden />
      </button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('选择课程')}
        closeButtonProps={{ 'aria-label': t('关闭') }}
      >
        <ul className={classes.list}>
          {packs.map((pack) => (
            <li key={pack.packId}>
              <button
                type="button"
                className={classes.choice}
                aria-current={pack.packId === packId || undefined}
                data-autofocus={pack.packId === packId || undefined}
                onClick={() => {
                  setOpened(false);
                  if (pack.packId !== packId) onChoose(pack.packId);
                }}
              >
                <span>{pack.packageName}</span>
                <small>
                  {t('已做 {done} / {total} 题', {
                    done: formatCount(pack.doneCount),
                    total: formatCount(pack.questionCount),
                  })}
                </small>
                {pack.packId === packId && <IconCheck size={18} stroke={1.9} aria-hidden />}
              </button>
            </li>
          ))}
        </ul>
      </Modal>
    </>
  );
}

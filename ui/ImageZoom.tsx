import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import './dialog.css';
import { useRefocus } from './focus.ts';
import classes from './ImageZoom.module.css';
import { t } from './words.ts';

interface Props {
  image: { src: string; alt: string };
  /** What else can be done with it, e.g. saving it. */
  actions?: ReactNode;
  onClose: () => void;
}

/** One image over the whole page; a click or Enter doubles it, Escape closes. */
export default function ImageZoom({ image, actions, onClose }: Props) {
  useRefocus();
  const [large, setLarge] = useState(false);
  const [failed, setFailed] = useState(false);
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      title={image.alt || t('图片')}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      <div className={classes.stage} data-large={large || undefined}>
        {failed ? (
          <p className={classes.failed} role="alert">
            {t('图片没有读出来，请稍后再试')}
          </p>
        ) : (
          <button type="button" className={classes.button} onClick={() => setLarge(!large)} aria-pressed={large}>
            <img
              className={classes.image}
              src={image.src}
              alt={image.alt || t('图片')}
              onError={() => setFailed(true)}
            />
          </button>
        )}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </Modal>
  );
}

import { Modal } from '@mantine/core';
import { useState } from 'react';
import './dialog.css';
import classes from './ImageZoom.module.css';
import { t } from './words.ts';

/** One image over the whole page; a click or Enter doubles it, Escape closes. */
export default function ImageZoom({ image, onClose }: { image: { src: string; alt: string }; onClose: () => void }) {
  const [large, setLarge] = useState(false);
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      title={image.alt || t('图片')}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      <div className={classes.stage} data-large={large || undefined}>
        <button type="button" className={classes.button} onClick={() => setLarge(!large)} aria-pressed={large}>
          <img className={classes.image} src={image.src} alt={image.alt || t('图片')} />
        </button>
      </div>
    </Modal>
  );
}

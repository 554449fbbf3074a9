import { Button, Modal } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { AVATAR_SIDE } from '#contract/values/image.ts';
import dialog from '#ui/dialog-actions.module.css';
import { useRefocus } from '#ui/focus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { t } from '#web/lib/t.ts';
import classes from './CropDialog.module.css';
import { type Crop, cropBox, cropMoved, MOST_ZOOM, wholeCrop } from './crop.ts';

interface Props {
  picture: ImageBitmap;
  waiting: boolean;
  /** Why it was refused, in the person’s language; '' when it was not. */
  refusal: string;
  onDone(square: Blob): void;
  onClose(): void;
}

/** Of the side of the square, by one press of an arrow. */
const STEP = 0.05;
const arrows: Readonly<Record<string, { right?: number; down?: number }>> = {
  ArrowLeft: { right: -STEP },
  ArrowRight: { right: STEP },
  ArrowUp: { down: -STEP },
  ArrowDown: { down: STEP },
};

/** Which square of a picture is the avatar: dragged, or moved with the arrows, and made larger with the slider. */
export function CropDialog({ picture, waiting, refusal, onDone, onClose }: Props) {
  useRefocus();
  const id = useId();
  const [crop, setCrop] = useState<Crop>(wholeCrop);
  const stage = useRef<HTMLCanvasElement>(null);
  const grabbed = useRef<{ x: number; y: number } | null>(null);
  useEffect(() => {
    if (stage.current) draw(stage.current, picture, crop);
  }, [picture, crop]);

  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    const { clientX: x, clientY: y, currentTarget } = event;
    if (grabbed.current === null) return;
    const { width } = currentTarget.getBoundingClientRect();
    // The picture follows the finger, so the square goes the other way.
    const by = { right: (grabbed.current.x - x) / width, down: (grabbed.current.y - y) / width };
    grabbed.current = { x, y };
    setCrop((at) => cropMoved(picture, at, by));
  };
  const press = (event: KeyboardEvent) => {
    const by = arrows[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setCrop((at) => cropMoved(picture, at, by));
  };
  const done = () => {
    const canvas = document.createElement('canvas');
    canvas.width = AVATAR_SIDE;
    canvas.height = AVATAR_SIDE;
    draw(canvas, picture, crop);
    canvas.toBlob((square) => square && onDone(square), 'image/jpeg', 0.9);
  };
  return (
    <Modal opened onClose={onClose} title={t('裁剪头像')} size={400} closeButtonProps={{ 'aria-label': t('关闭') }}>
      <div className={classes.frame}>
        <button
          type="button"
          className={classes.stage}
          aria-label={t('拖动图片或按方向键选择头像的范围')}
          onKeyDown={press}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            grabbed.current = { x: event.clientX, y: event.clientY };
          }}
          onPointerMove={drag}
          onPointerUp={() => {
            grabbed.current = null;
          }}
          onPointerCancel={() => {
            grabbed.current = null;
          }}
        >
          <canvas ref={stage} width={2 * AVATAR_SIDE} height={2 * AVATAR_SIDE} />
        </button>
        <span className={classes.round} aria-hidden />
      </div>
      <label className={classes.zoom} htmlFor={`${id}-zoom`}>
        {t('放大')}
        <input
          id={`${id}-zoom`}
          type="range"
          min={1}
          max={MOST_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={({ currentTarget: { value } }) => setCrop((at) => cropMoved(picture, at, { zoom: Number(value) }))}
        />
      </label>
      <p className={classes.refusal} role="alert">
        {refusal}
      </p>
      <div className={dialog.actions}>
        <Button variant="default" onClick={onClose}>
          {t('取消')}
        </Button>
        <WaitButton waiting={waiting} onClick={done}>
          {t('使用')}
        </WaitButton>
      </div>
    </Modal>
  );
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const { left, top, side } = cropBox(picture, crop);
  // A JPEG has no transparency, and would show it black.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

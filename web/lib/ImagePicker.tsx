import { IconCamera, IconRefresh, IconX } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { MOST_IMAGES } from '#contract/values/image.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import classes from './ImagePicker.module.css';
import type { ImageUpload } from './image-uploads.ts';
import { t } from './t.ts';
import type { FormImages } from './useImageUploads.ts';

interface Props {
  /** From `useImageUploads`; its `areaProps` go on the form around this. */
  uploads: FormImages;
  /** What the pictures are, over them: 上传图片. */
  label: string;
  /** What may be chosen, under them; left out: nothing is said. */
  hint?: string;
}

/**
 * The pictures of a form (spec §2 Image upload widget): a box to pick some, each with its progress, a way to remove it and, where it did not arrive, to send
 * it again; n/3张. The box goes when three are there.
 */
export function ImagePicker({ uploads, label, hint }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { images, fault } = uploads;
  const whole = useRef<HTMLFieldSetElement>(null);
  // A picture that is removed, or the box that goes with the third one, takes the keyboard to what stands there now.
  useKeptFocus(whole, 'button');
  return (
    <fieldset
      ref={whole}
      tabIndex={-1}
      className={classes.picker}
      aria-labelledby={`${id}-label`}
      disabled={uploads.still}
    >
      <p className={classes.head}>
        <span id={`${id}-label`}>{label}</span>
        <small>{t('{count}/{most}张', { count: images.length, most: MOST_IMAGES })}</small>
      </p>
      <ul className={classes.images}>
        {images.map((image, at) => (
          <li key={image.key} className={classes.image} data-phase={image.phase}>
            <Picture image={image} number={at + 1} uploads={uploads} />
          </li>
        ))}
        {images.length < MOST_IMAGES && (
          <li>
            <button
              type="button"
              className={classes.add}
              onClick={() => input.current?.click()}
              aria-describedby={hint ? `${id}-hint` : undefined}
            >
              <IconCamera size={22} stroke={1.6} aria-hidden />
              {t('添加图片')}
            </button>
          </li>
        )}
      </ul>
      {/* A list of kinds, or `capture`, hides the album on some phones: the kind is looked at afterwards. */}
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          uploads.choose(currentTarget.files ?? []);
          // The same file may be chosen again after it was removed.
          currentTarget.value = '';
        }}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className={classes.hint}>
          {hint}
        </p>
      )}
      <p className={classes.fault} aria-live="assertive">
        {fault === '' ? failures(images) : t(fault)}
      </p>
      {/* The form around it waits, and its button cannot say why. */}
      {uploads.failed && <p className={classes.hint}>{t('有图片没有上传成功，请重试或移除')}</p>}
    </fieldset>
  );
}

/** Why pictures did not arrive, each reason once. */
function failures(images: readonly ImageUpload[]): string {
  const said = images.filter(({ phase }) => phase === 'failed').map((image) => t(image.msg));
  return [...new Set(said)].join(' ');
}

function Picture({ image, number, uploads }: { image: ImageUpload; number: number; uploads: FormImages }) {
  const { key, name, preview, phase, share } = image;
  const called = name === '' ? t('图片 {number}', { number }) : name;
  const percent = Math.round(share * 100);
  return (
    <>
      {preview === '' ? <span className={classes.blank} /> : <img src={preview} alt={called} />}
      {(phase === 'reading' || phase === 'sending') && (
        <span
          className={classes.veil}
          role="progressbar"
          aria-label={t('正在上传 {name}', { name: called })}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          {phase === 'reading' ? t('处理中') : `${percent}%`}
        </span>
      )}
      {phase === 'failed' && (
        <button
          type="button"
          className={classes.again}
          onClick={() => uploads.retry(key)}
          aria-label={t('重新上传 {name}', { name: called })}
        >
          <IconRefresh size={18} stroke={1.8} aria-hidden />
          {t('重试')}
        </button>
      )}
      <button
        type="button"
        className={classes.remove}
        onClick={() => uploads.remove(key)}
        aria-label={t('移除 {name}', { name: called })}
      >
        <IconX size={14} stroke={2.2} aria-hidden />
      </button>
    </>
  );
}

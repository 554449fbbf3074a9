import { IconPhotoOff } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import classes from './ImageThumbs.module.css';
import { t } from './t.ts';

const ImageZoom = lazy(() => import('#ui/ImageZoom.tsx'));

/** The pictures of something that was written, small; each opens over the whole page. Nothing where there are none. */
export function ImageThumbs({
  images,
}: {
  images: { feedbackImg: string; feedbackImg2: string; feedbackImg3: string };
}) {
  const [open, setOpen] = useState<{ src: string; alt: string } | null>(null);
  const shown = [images.feedbackImg, images.feedbackImg2, images.feedbackImg3].filter((src) => src !== '');
  if (shown.length === 0) return null;
  return (
    <>
      <ul className={classes.thumbs}>
        {shown.map((src, at) => (
          <li key={src}>
            <Thumb src={src} alt={t('图片 {number}', { number: at + 1 })} onOpen={setOpen} />
          </li>
        ))}
      </ul>
      {open && (
        <Suspense>
          <ImageZoom image={open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  );
}

function Thumb({
  src,
  alt,
  onOpen,
}: {
  src: string;
  alt: string;
  onOpen: (image: { src: string; alt: string }) => void;
}) {
  const [broken, setBroken] = useState(false);
  if (broken)
    return (
      <span className={classes.broken}>
        <IconPhotoOff size={20} stroke={1.6} aria-hidden />
        {t('无法显示')}
      </span>
    );
  return (
    <button
      type="button"
      className={classes.thumb}
      onClick={() => onOpen({ src, alt })}
      aria-label={t('查看{name}', { name: alt })}
    >
      <img src={src} alt="" loading="lazy" onError={() => setBroken(true)} />
    </button>
  );
}

import classes from './PackCover.module.css';

const hues = ['jade', 'indigo', 'amber', 'cinnabar'] as const;

/** A thread-bound book with the pack's name on its label: every pack looks like itself without needing a picture. */
export function PackCover({ packId, name, large = false }: { packId: number; name: string; large?: boolean }) {
  const word = name.split(/[\s·:：（(【[]/u)[0] ?? '';
  // Letters are half as long as Chinese characters; a word of them is not cut in its middle.
  const most = /^[\x20-\u024f]+$/u.test(word) ? Number.POSITIVE_INFINITY : large ? 8 : 6;
  const label = [...word].slice(0, most).join('');
  const hue = hues[packId % hues.length];
  return (
    <span className={classes.cover} data-hue={hue} data-large={large || undefined} aria-hidden>
      <span className={classes.label}>{label}</span>
    </span>
  );
}

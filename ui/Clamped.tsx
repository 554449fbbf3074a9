import { useEffect, useId, useRef, useState } from 'react';
import classes from './Clamped.module.css';
import { t } from './words.ts';

interface Props {
  text: string;
  /** Lines that are shown before 展开 is pressed. */
  lines?: number;
}

/** A text of a person cut to its first lines, with 展开 and 收起 where it is longer (spec §2 Question item). */
export function Clamped({ text, lines = 3 }: Props) {
  const id = useId();
  const box = useRef<HTMLParagraphElement>(null);
  const [open, setOpen] = useState(false);
  const [longer, setLonger] = useState(false);
  useEffect(() => {
    const shown = box.current;
    if (shown === null || open) return;
    // Other words of the same height are seen by no observer.
    const look = () => text !== '' && setLonger(shown.scrollHeight > shown.clientHeight + 1);
    look();
    const watch = new ResizeObserver(look);
    watch.observe(shown);
    return () => watch.disconnect();
  }, [open, text]);
  return (
    <>
      <p
        id={id}
        ref={box}
        className={classes.text}
        data-open={open || undefined}
        style={{ '--lines': lines } as React.CSSProperties}
      >
        {text}
      </p>
      {longer && (
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? t('收起') : t('展开')}
        </button>
      )}
    </>
  );
}

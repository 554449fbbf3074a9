import { IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './CommentPanel.module.css';

/** The picture of who wrote a comment; the default one where there is none or it does not load. */
export function Face({ url }: { url: string }) {
  const [broken, setBroken] = useState(false);
  return (
    <span className={classes.face} aria-hidden>
      {url !== '' && !broken ? (
        <img src={url} alt="" onError={() => setBroken(true)} />
      ) : (
        <IconUser size={20} stroke={1.6} />
      )}
    </span>
  );
}

import { IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './Face.module.css';

/** The picture of who wrote something; the default one where there is none or it does not load. */
export function Face({ url }: { url: string }) {
  /** The address that did not load: another one may. */
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span className={classes.face} aria-hidden>
      {url !== '' && url !== broken ? (
        <img src={url} alt="" onError={() => setBroken(url)} />
      ) : (
        <IconUser size={20} stroke={1.6} />
      )}
    </span>
  );
}

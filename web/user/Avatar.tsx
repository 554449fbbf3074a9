import { useState } from 'react';
import type { Me } from '#web/lib/me.ts';
import classes from './Avatar.module.css';

/** The person's picture; the last letter of the nickname on paper when there is none or it does not load. */
export function Avatar({ me, size }: { me: Me; size: number }) {
  const [broken, setBroken] = useState('');
  const letter = me.nickname.match(/\p{L}/gu)?.at(-1) ?? [...me.nickname][0] ?? '';
  return (
    <span className={classes.avatar} style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden>
      {me.avatarUrlExt !== broken && me.avatarUrlExt !== '' ? (
        <img src={me.avatarUrlExt} alt="" onError={() => setBroken(me.avatarUrlExt)} />
      ) : (
        <span>{letter}</span>
      )}
    </span>
  );
}

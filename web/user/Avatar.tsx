import { useState } from 'react';
import type { Me } from '#web/lib/me.ts';
import classes from './Avatar.module.css';

/** The person's picture; a letter of the nickname on paper when there is none or it does not load: of a Chinese one the last, of others the first. */
export function Avatar({ me, size }: { me: Me; size: number }) {
  const [broken, setBroken] = useState('');
  const letters = me.nickname.match(/\p{L}/gu) ?? [...me.nickname];
  const letter = /\p{Script=Han}/u.test(me.nickname) ? letters.at(-1) : letters[0]?.toUpperCase();
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

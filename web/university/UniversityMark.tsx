import { useState } from 'react';
import classes from './UniversityMark.module.css';

/** A university's mark. When it cannot be loaded, the first character stands in its place. */
export function UniversityMark({ logoUrl, name, size }: { logoUrl: string; name: string; size: number }) {
  const [failed, setFailed] = useState('');
  if (logoUrl === '' || failed === logoUrl) {
    return (
      <span className={classes.letter} style={{ width: size, height: size, fontSize: size * 0.46 }} aria-hidden>
        {[...name][0]}
      </span>
    );
  }
  return (
    <img
      className={classes.mark}
      src={logoUrl}
      width={size}
      height={size}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setFailed(logoUrl)}
    />
  );
}

/**
 * The value of one cookie in a `cookie` header (RFC 6265 §5.4), the first of that name; null when there is none. Values
 * of ours are base64url and need no decoding.
 */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  for (let from = 0; from < header.length; ) {
    const end = header.indexOf(';', from);
    const stop = end < 0 ? header.length : end;
    const equals = header.indexOf('=', from);
    if (equals >= 0 && equals < stop && header.slice(from, equals).trim() === name) {
      const value = header.slice(equals + 1, stop).trim();
      return value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value;
    }
    from = stop + 1;
  }
  return null;
}

/** A `set-cookie` header (RFC 6265 §4.1), for the whole site unless a path is given, out of reach of scripts. `value` null takes it away. */
export function writeCookie(
  name: string,
  value: string | null,
  options: { expires: Date; secure: boolean; path?: string },
): string {
  const expires = value === null ? new Date(0) : options.expires;
  const secure = options.secure ? '; Secure' : '';
  return `${name}=${value ?? ''}; Path=${options.path ?? '/'}; Expires=${expires.toUTCString()}; HttpOnly; SameSite=Lax${secure}`;
}

/** A browser takes a cookie with this prefix only over https, from this very host and for the whole of it. */
export const SECURE_PREFIX = '__Host-';

/** The value of one of our cookies: with the prefix where there is one, else as it is named over plain http. */
export function ownCookie(header: string | undefined, name: string): string | null {
  return readCookie(header, `${SECURE_PREFIX}${name}`) ?? readCookie(header, name);
}

/** A cookie for one path alone may not have the prefix above; this one says that it came over https. */
const SECURE_PATH_PREFIX = '__Secure-';

/** How a cookie for one path is named. */
export const pathCookieName = (name: string, secure: boolean) => (secure ? `${SECURE_PATH_PREFIX}${name}` : name);

/** The value of one of our cookies for one path. */
export function pathCookie(header: string | undefined, name: string): string | null {
  return readCookie(header, `${SECURE_PATH_PREFIX}${name}`) ?? readCookie(header, name);
}

/** Calm grounds from the identity's hues; paper-coloured letters stand on each with a contrast above 4.5. */
const GROUNDS = ['#0B7A5B', '#2F4F8F', '#7A4F0F', '#8F3A2A', '#3D5A5A', '#5A4A78', '#37506B', '#5F5A2E'] as const;
const PAPER = '#FBFAF7';

/** FNV-1a over UTF-16 units: the same name has the same ground everywhere and for ever. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}

/**
 * The one or two characters that stand for a university: its first short name of two Chinese characters (北大, 北航), else
 * the first two of a short name of three (北交大), else the beginning of its name without what most names share.
 */
export function monogramOf(name: string, aliases: readonly string[]): string {
  for (const shape of [/^\p{Script=Han}{2}$/u, /^\p{Script=Han}{3}$/u]) {
    const short = aliases.find((alias) => shape.test(alias));
    if (short) return [...short].slice(0, 2).join('');
  }
  const bare = name.replace(/[（(].*$/u, '').replace(/^中国|^中央/u, '');
  const [first, second] = [...bare].filter((char) => /[\p{L}\p{N}]/u.test(char));
  if (first === undefined) return [...name][0] ?? '校';
  return /\p{Script=Han}/u.test(first) ? first + (second ?? '') : first.toUpperCase();
}

/** Characters as XML character references: nothing of a name can become markup. */
const reference = (text: string) => [...text].map((char) => `&#${char.codePointAt(0)};`).join('');

/**
 * A drawn mark in a university's place until the school brings a licensed logo: a seal with its characters. It is made of
 * the name alone, so the same university has the same mark in every installation.
 * @returns a whole SVG document without style, script or reference to anything outside
 */
export function monogramSvg(name: string, aliases: readonly string[]): string {
  const letters = [...monogramOf(name, aliases)];
  const ground = GROUNDS[hash(name) % GROUNDS.length] ?? GROUNDS[0];
  const font = `font-family="Songti SC,STSong,Noto Serif CJK SC,SimSun,serif" font-weight="600" text-anchor="middle"`;
  // Two characters stand under each other, as on a seal.
  const text =
    letters.length === 1
      ? `<text x="48" y="64" font-size="46" ${font}>${reference(letters[0] ?? '')}</text>`
      : letters
          .map((letter, at) => `<text x="48" y="${43 + at * 35}" font-size="33" ${font}>${reference(letter)}</text>`)
          .join('');
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">' +
    `<rect width="96" height="96" rx="18" fill="${ground}"/>` +
    `<rect x="6" y="6" width="84" height="84" rx="13" fill="none" stroke="${PAPER}" stroke-opacity=".42" stroke-width="1.5"/>` +
    `<g fill="${PAPER}">${text}</g></svg>`
  );
}

/** What no system takes in the name of a file. */
const NOT_IN_NAMES = /[\\/:*?"<>|\p{Cc}]/gu;

/** The longest name under which something is saved, without its extension (characters). */
const LONGEST = 80;

/** The name under which the slides of a lesson are saved: the lesson's own, as far as a file may have it (spec §2). */
export function slidesName(lessonName: string): string {
  const name = Array.from(lessonName.replace(NOT_IN_NAMES, '_').trim()).slice(0, LONGEST).join('');
  return `${name.replace(/^\.+/, '') || '课件'}.pdf`;
}

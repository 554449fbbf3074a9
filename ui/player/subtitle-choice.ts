/**
 * Which of these subtitles somebody wants who chose a language before: those of it, else of one like it (`zh` and `zh-CN`).
 * @returns null: none of them, or none were wanted
 */
export function chosenSubtitles(all: readonly { language: string }[], wanted: string | null): number | null {
  if (wanted === null) return null;
  const family = (language: string) => language.toLowerCase().split('-')[0];
  const same = all.findIndex(({ language }) => language === wanted);
  const alike = all.findIndex(({ language }) => family(language) === family(wanted));
  const found = same >= 0 ? same : alike;
  return found < 0 ? null : found;
}

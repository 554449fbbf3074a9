/** One mistake in a pack, as its author needs it. */
export interface Mistake {
  /** Relative to the pack's folder. */
  file: string;
  /** From 1. */
  line: number;
  /** The way to the field, e.g. `questions[3].options.B`; '' for the file as a whole. */
  where: string;
  /** A sentence in Chinese. */
  reason: string;
}

/** One mistake as a line: file, line, place, reason. */
export const describeMistake = ({ file, line, where, reason }: Mistake): string =>
  `${file}:${line}${where ? `  ${where}` : ''}  ${reason}`;

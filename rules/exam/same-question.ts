import { plainText, undescribed, undescribedOptions } from './twin.ts';

/** What tells a question of a spreadsheet from others. Texts are sanitized HTML. */
export interface ToldBy {
  type: number;
  topic: string;
  /** By letter. */
  options: Readonly<Record<string, string>>;
  /** Text of its case; '' : none. */
  material: string;
}

/** The part in which two questions differ. */
export type QuestionPart = 'type' | 'topic' | 'options' | 'material';

/** Two questions that are probably one, before and after a correction. */
export interface NearMatch {
  part: QuestionPart;
  /** How alike they are, above 0 and at most 1: of several the highest is meant. */
  likeness: number;
  /** Only the rest vouches for it, while this part was written anew: it counts where nothing else has the same rest. */
  onlyByRest: boolean;
}

/** From here on two texts are probably one, corrected. */
const ALIKE = 0.7;
/** Below this nothing of a text is left. */
const OTHER = 0.4;
/** Options, or a text, with so many letters say by themselves which question is meant; 甲 乙 丙 丁 or ①② ①③ do not, nor does 下列说法正确的是. */
const TELLING = 12;
const lettersOf = (words: string) => (words.match(/\p{L}/gu) ?? []).length;
/** Characters that are compared one by one; what differs over a longer stretch is compared by its pairs. */
const ONE_BY_ONE = 200;

/**
 * Whether two questions of the same bank are probably one, of which a single part was corrected: its type, its text, its options or its
 * material. A material that is wholly another makes two questions; so does a text without words in common, unless the options tell it.
 * What is said of a picture for who does not see it makes no difference.
 * @returns null: they are two, or the same
 */
export function nearMatch(before: ToldBy, after: ToldBy): NearMatch | null {
  const [stored, row] = [asSeen(before), asSeen(after)];
  const options = JSON.stringify(stored.options) === JSON.stringify(row.options);
  const different: QuestionPart[] = [];
  if (stored.type !== row.type) different.push('type');
  if (stored.topic !== row.topic) different.push('topic');
  if (!options) different.push('options');
  if (stored.material !== row.material) different.push('material');
  const [part, more] = different;
  if (part === undefined || more !== undefined) return null;
  const found = (likeness: number, onlyByRest = false): NearMatch => ({ part, likeness, onlyByRest });
  switch (part) {
    case 'type':
      return found(0.9);
    case 'topic': {
      const alike = likenessOf(stored.topic, row.topic);
      if (isAlike(alike)) return found(alike.likeness);
      const words = Object.values(row.options).map(plainText).join('');
      const telling = row.type !== 1 && lettersOf(words) >= TELLING;
      return telling ? found(0.5 + alike.likeness / 10, true) : null;
    }
    case 'options': {
      const likeness = optionLikeness(stored.options, row.options);
      return likeness >= 0.5 ? found(likeness) : null;
    }
    case 'material': {
      if (stored.material === '' || row.material === '') return found(0.8);
      const alike = likenessOf(stored.material, row.material);
      return isAlike(alike) ? found(alike.likeness) : null;
    }
  }
}

/** What tells a question, without what is said of its pictures. */
export const asSeen = <Q extends ToldBy>(question: Q): Q => ({
  ...question,
  topic: undescribed(question.topic),
  options: undescribedOptions(question.options),
  material: undescribed(question.material),
});

/**
 * Whether two questions with the same key of their school (编号) have nothing in common that a correction would leave: then the
 * key was probably given twice. A text that many questions have tells nothing: then options of which none stayed make another one.
 */
export function isWhollyOther(stored: ToldBy, row: ToldBy): boolean {
  const hasOptions = row.type !== 1 && Object.keys(row.options).length > 0 && Object.keys(stored.options).length > 0;
  const stayed = hasOptions ? optionLikeness(stored.options, row.options) : null;
  if (likenessOf(stored.topic, row.topic).likeness < OTHER) return stayed === null || stayed < 0.5;
  return stayed === 0 && lettersOf(plainText(row.topic)) < TELLING;
}

/** Pairs of neighbouring characters of a text that is read, its edges too. @param html sanitized */
export function pairsOf(html: string): string[] {
  const text = `\u0002${plainText(html)}\u0003`;
  return Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2));
}

interface Likeness {
  likeness: number;
  /** Characters that differ, and those of the longer text. */
  distance: number;
  longer: number;
}

const isAlike = ({ likeness, distance, longer }: Likeness) => likeness >= ALIKE || (distance <= 1 && longer >= 3);

/** How many of the options stayed, by letter or in another order; where the words stayed and their cut did not, by those. */
function optionLikeness(stored: Readonly<Record<string, string>>, row: Readonly<Record<string, string>>): number {
  const [before, after] = [stored, row].map((options) => Object.values(options).map(plainText)) as [string[], string[]];
  const longer = Math.max(before.length, after.length, 1);
  const left = [...before];
  let stayed = 0;
  for (const text of after) {
    const at = left.indexOf(text);
    if (at < 0) continue;
    left.splice(at, 1);
    stayed += 1;
  }
  const words = likenessOf(before.join('\n'), after.join('\n')).likeness;
  return Math.max(stayed / longer, words >= ALIKE ? words : 0);
}

function likenessOf(one: string, other: string): Likeness {
  const [a, b] = [[...plainText(one)], [...plainText(other)]];
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return { likeness: 1, distance: 0, longer };
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from += 1;
  let behind = 0;
  while (behind < Math.min(a.length, b.length) - from && a.at(-1 - behind) === b.at(-1 - behind)) behind += 1;
  const distance = distanceOf(a.slice(from, a.length - behind), b.slice(from, b.length - behind));
  return { likeness: 1 - distance / longer, distance, longer };
}

/** Characters to insert, delete or replace; of long stretches that many as have no pair in the other. */
function distanceOf(a: readonly string[], b: readonly string[]): number {
  const longer = Math.max(a.length, b.length);
  if (a.length === 0 || b.length === 0) return longer;
  if (longer > ONE_BY_ONE) {
    const left = new Map<string, number>();
    for (const pair of pairs(a)) left.set(pair, (left.get(pair) ?? 0) + 1);
    let common = 0;
    for (const pair of pairs(b)) {
      const count = left.get(pair) ?? 0;
      if (count === 0) continue;
      left.set(pair, count - 1);
      common += 1;
    }
    return Math.max(longer - 1 - common, 1);
  }
  let line = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, char] of a.entries()) {
    const next = [at + 1];
    for (let to = 1; to <= b.length; to += 1) {
      const replaced = (line[to - 1] ?? 0) + (b[to - 1] === char ? 0 : 1);
      next.push(Math.min(replaced, (line[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    line = next;
  }
  return line[b.length] ?? longer;
}

const pairs = (chars: readonly string[]) => chars.slice(1).map((char, at) => `${chars[at] ?? ''}${char}`);

/**
 * The place in which two texts differ, with some characters around it, for a person who decides.
 * @returns what is read of both there, without tags; each at most about `around` characters more than what differs, and 40 of that
 */
export function differenceOf(before: string, after: string, around = 8): [string, string] {
  const [a, b] = [[...readable(before)], [...readable(after)]];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from += 1;
  let behind = 0;
  while (behind < Math.min(a.length, b.length) - from && a.at(-1 - behind) === b.at(-1 - behind)) behind += 1;
  const shown = (chars: readonly string[]) => {
    const start = Math.max(0, from - around);
    const end = Math.min(chars.length, chars.length - behind + around);
    const cut = chars.slice(start, Math.min(end, start + 2 * around + 40));
    return `${start > 0 ? '…' : ''}${cut.join('')}${start + cut.length < chars.length ? '…' : ''}`;
  };
  return [shown(a), shown(b)];
}

const readable = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

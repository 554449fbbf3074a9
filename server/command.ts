import { parseArgs } from 'node:util';
import type { Db } from './db/open.ts';
import type { Files } from './files.ts';

/** What a command of the operator's command line may use. */
export interface CommandContext {
  /** Opens the database of this installation; closed by the command line at the end. */
  openDb(): Promise<Db>;
  files: Files;
  /** A line for the operator. */
  say(line: string): void;
  /** Rows done, on one line of the terminal that is drawn over and over. */
  progress: Progress;
  /** Set when the operator pressed Ctrl-C. */
  signal: AbortSignal;
}

/** How far a long piece of work is. */
export interface Progress {
  /**
   * @param of null: how much there is, is not known yet
   * @param unit what is counted; rows (行) when left out
   */
  show(what: string, done: number, of: number | null, unit?: string): void;
  /** Ends the line, so that other output begins on its own. */
  end(): void;
}

/** One command of `npm run lixue`: a feature brings its own, `server/cli.ts` lists them. */
export interface Command {
  /** One or two words, e.g. `import pack`. */
  name: string;
  /** What follows the name, e.g. `<folder>`. */
  usage: string;
  /** One Chinese sentence for `help`. */
  says: string;
  /** @returns the exit code: 0 done, 1 refused. @throws WrongUsage, or Refused with a Chinese sentence */
  run(args: readonly string[], context: CommandContext): Promise<number>;
}

/** The command was typed wrongly; the message says how, in Chinese. Exit code 2. */
export class WrongUsage extends Error {}

/** What was asked cannot be done; the message says why, in Chinese. Exit code 1. */
export class Refused extends Error {}

/** It was stopped when part of it was stored already; the message says in Chinese what is, and how it is gone on with. Exit code 1. */
export class StoredInPart extends Error {
  /** Why it was stopped, in Chinese; null: what `cause` is says it. */
  readonly why: string | null;

  constructor(message: string, why: string | null, cause: unknown) {
    super(message, { cause });
    this.why = why;
  }
}

type Options = Readonly<Record<string, 'text' | 'flag'>>;
type Values<O extends Options> = { [K in keyof O]?: O[K] extends 'flag' ? boolean : string };

/**
 * Reads the words after a command's name.
 * @param words how many words without a name there must be
 * @throws WrongUsage for an unknown option, or too many or few words
 */
export function readArgs<const O extends Options>(
  args: readonly string[],
  words: number,
  options: O,
): { words: string[]; options: Values<O> } {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, kind]) => [
      name,
      { type: kind === 'flag' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    const { positionals, values } = parseArgs({ args: [...args], options: config, allowPositionals: true });
    if (positionals.length !== words)
      throw new WrongUsage(positionals.length < words ? '少写了内容' : `多写了“${positionals[words]}”`);
    return { words: positionals, options: values as Values<O> };
  } catch (error) {
    if (error instanceof WrongUsage) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new WrongUsage('有不认识的选项');
    throw new WrongUsage('选项的写法不正确');
  }
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** House rules that no linter knows: the repository itself is searched. */
const root = join(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);
const code = tracked.filter((file) => /\.(tsx?|mjs)$/.test(file));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

function linesWith(pattern: RegExp, files: readonly string[]): string[] {
  return files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1} ${line.trim().slice(0, 100)}`] : [])),
  );
}

describe('the house', () => {
  it('has no file named after a kind of thing', () => {
    const kinds = /(^|\/)(utils?|helpers?|handlers?|types|constants|common|misc|index)\.(tsx?|mjs)$/;
    expect(tracked.filter((file) => kinds.test(file))).toEqual([]);
  });

  it('has no left-over work marks, focused or skipped tests', () => {
    const marks = new RegExp(
      [
        'TO' + 'DO',
        'FIX' + 'ME',
        '\\bit\\.on' + 'ly',
        'describe\\.on' + 'ly',
        'test\\.on' + 'ly',
        // A journey may leave out one screen size by a condition with its reason.
        '\\b(it|describe)\\.sk' + 'ip\\(',
        '\\btest\\.sk' + 'ip\\([\'"`]',
      ].join('|'),
    );
    expect(linesWith(marks, code)).toEqual([]);
  });

  it('has no style sheet that asks a whole page for what is in it (decision 080)', () => {
    const sheets = tracked.filter((file) => file.endsWith('.css'));
    expect(linesWith(/(^|[\s,}])(:root|html|body)[^\s,>+~{]*:has\(/, sheets)).toEqual([]);
  });

  it('re-exports nothing wholesale', () => {
    expect(linesWith(/^export \* /, code)).toEqual([]);
  });

  it('names no download address in the lock file', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": "http/);
  });

  it('pins every version exactly', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+/);
  });

  it('has each text once in its English translation', () => {
    const text = read('web/locale/en.json');
    const keys = [...text.matchAll(/^ {2}("(?:[^"\\]|\\.)*"):/gm)].map((match) => match[1]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

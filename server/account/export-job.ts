import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { chinaTime } from '#rules/clock/china-day.ts';
import type { JobKind } from '#server/job/worker.ts';
import type { Parts } from '#server/parts.ts';
import type { PersonPart } from '#server/person-part.ts';
import { changeExport, findExport } from './export-store.ts';
import type { HiddenFrom } from './export-withheld.ts';

export const EXPORT_JOB = 'account.export';

/** The job that makes a copy of all that a person has here. */
export function exportJob(
  { db, files, clock }: Pick<Parts, 'db' | 'files' | 'clock'>,
  parts: readonly PersonPart[],
  { hiddenFrom, sittingsOf }: { hiddenFrom: HiddenFrom; sittingsOf: (userId: number) => Promise<string> },
): JobKind<{ exportId: number }> {
  return {
    kind: EXPORT_JOB,
    mostAttempts: 3,
    light: true,
    async run({ exportId }, job) {
      const asked = await findExport(db.query, exportId);
      // The account was closed meanwhile: there is nothing to make, and nobody to have it.
      if (!asked) return async () => undefined;
      const sittings = await sittingsOf(asked.user_id);
      const hidden = await hiddenFrom(asked.user_id);
      const { name, size } = await files.putStream(zipOf(asked.user_id, job.signal, job.percent), 'zip');
      // Where something was handed in or begun meanwhile, nobody knows what it was made without: an exam may have been handed in and begun again.
      const same = sittings === (await sittingsOf(asked.user_id));
      const sat = JSON.stringify(same ? [...hidden] : []);
      return (trx) => changeExport(trx, exportId, { state: 'ready', file: name, bytes: size, sat, ready_at: clock() });
    },
    givenUp: (trx, { exportId }, reason) => changeExport(trx, exportId, { state: 'failed', reason }),
  };

  /** The zip, made while it is read: one part after the other, so that little of it is in memory at a time. */
  async function* zipOf(
    userId: number,
    signal: AbortSignal,
    percent: (done: number) => void,
  ): AsyncGenerator<Uint8Array> {
    const zip = new ZipFile();
    const filled = fill(zip, userId, signal, percent).then(
      () => zip.end(),
      (error: unknown) => (zip.outputStream as Readable).destroy(error as Error),
    );
    for await (const piece of zip.outputStream) yield piece as Uint8Array;
    await filled;
  }

  async function fill(
    zip: ZipFile,
    userId: number,
    signal: AbortSignal,
    percent: (done: number) => void,
  ): Promise<void> {
    zip.addBuffer(
      Buffer.from(
        readme(
          parts.map(({ name }) => name),
          clock(),
        ),
      ),
      '说明.txt',
    );
    for (const [at, part] of parts.entries()) {
      signal.throwIfAborted();
      await added(zip, `${part.name}.json`, Readable.from(jsonOf(part.rows(userId), signal)));
      for (const [nth, { stored, title }] of ((await part.files?.(userId)) ?? []).entries()) {
        signal.throwIfAborted();
        const found = await files.find(stored);
        if (!found) continue;
        const ending = stored.slice(stored.lastIndexOf('.'));
        await added(zip, `${part.name}/${String(nth + 1).padStart(4, '0')} ${title}${ending}`, await found.read());
      }
      percent((100 * (at + 1)) / parts.length);
    }
  }
}

/** Adds an entry and waits until it is written: the next one's rows are not asked for before. */
function added(zip: ZipFile, path: string, bytes: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    bytes.once('end', resolve);
    bytes.once('error', reject);
    zip.addReadStream(bytes, path);
  });
}

/** Rows as a JSON list, one a line. */
async function* jsonOf(rows: AsyncIterable<object>, signal: AbortSignal): AsyncGenerator<string> {
  let first = true;
  yield '[';
  for await (const row of rows) {
    signal.throwIfAborted();
    yield `${first ? '\n' : ',\n'}${JSON.stringify(row)}`;
    first = false;
  }
  yield '\n]\n';
}

const readme = (names: readonly string[], now: number) =>
  `砺学：我的数据\r\n生成时间：${chinaTime(now)}（北京时间）\r\n\r\n本压缩包是您在本站的全部个人数据。每个 .json 文件是一类数据，可用任何文本编辑器打开。\r\n时间为毫秒数（自 1970 年 1 月 1 日零时，UTC），金额单位为分。\r\n身份证号在本站不保存原文，这里只有掩码；正在进行的考试，成绩在交卷后才会出现；其中的题目，您以前的作答与成绩也在交卷后生成的副本里。\r\n\r\n${names.map((name) => `${name}.json`).join('\r\n')}\r\n`;

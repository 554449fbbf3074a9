import { createHash, randomBytes } from 'node:crypto';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FileOwner, type Files, FilesAway, localFiles, TooManyBytes } from './files.ts';
import { forgetFiles } from './forgotten-files.ts';
import { S3Failed, s3Files } from './s3-files.ts';
import { type S3Server, signatureOf, startS3 } from './s3-server.test-kit.ts';

const DAY = 24 * 3_600_000;
const home = mkdtempSync(join(tmpdir(), 'lixue-files-'));
const MB = 1024 * 1024;
let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3(2);
  mkdirSync(spoolFolder);
});
beforeEach(() => {
  s3.trouble = null;
  s3.asked.length = 0;
});
afterAll(async () => {
  await s3.close();
  rmSync(home, { recursive: true, force: true });
});

async function* pieces(...all: Uint8Array[]) {
  yield* all;
}
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const all = async (files: Files) => (await Array.fromAsync(files.list())).map(({ name }) => name).sort();
const spoolFolder = join(home, 'spool');
const hurried = { answer: 400, part: 400, silence: 200 };

const stores = [
  {
    where: 'a folder',
    make: () => {
      const folder = mkdtempSync(join(home, 'local-'));
      return { files: localFiles(folder), date: (name: string, at: Date) => utimesSync(join(folder, name), at, at) };
    },
  },
  {
    where: 'a store that speaks S3',
    make: () => {
      s3.objects.clear();
      const date = (name: string, modified: Date) =>
        Object.assign(s3.objects.get(`school/${name}`) ?? {}, { modified });
      return { files: s3Files(s3.settings, spoolFolder), date };
    },
  },
];

describe.each(stores)('files in $where', ({ make }) => {
  let files: Files;
  let date: ReturnType<typeof make>['date'];
  beforeEach(() => {
    ({ files, date } = make());
  });

  it('are named by their bytes, come piece by piece, and are read whole or in part', async () => {
    const bytes = randomBytes(33 * MB);
    const parts = Array.from({ length: 33 }, (_, at) => bytes.subarray(at * MB, (at + 1) * MB));
    const { name, size } = await files.putStream(pieces(...parts), 'MP4');
    expect([name.slice(3), size]).toEqual([`${hashOf(bytes)}.mp4`, bytes.length]);
    const found = await files.find(name);
    expect(found?.size).toBe(bytes.length);
    expect((await buffer((await found?.read()) ?? pieces())).equals(bytes)).toBe(true);
    const part = await buffer((await found?.read({ first: 16 * MB - 3, last: 16 * MB + 3 })) ?? pieces());
    expect(part.equals(bytes.subarray(16 * MB - 3, 16 * MB + 4))).toBe(true);
    expect(await files.put(bytes, 'mp4')).toBe(name);
    expect(await all(files)).toEqual([name]);
  });

  it('that stand on this disk already are taken as they are; the original may be deleted then', async () => {
    const { files } = make();
    const path = join(home, `whole-${randomBytes(6).toString('hex')}`);
    const bytes = randomBytes(3 * MB);
    writeFileSync(path, bytes);
    const given = await files.putFile(path, 'mp4');
    expect(given).toEqual({ name: await files.put(bytes, 'mp4'), size: bytes.length });
    expect(await files.putFile(path, 'mp4')).toEqual(given);
    rmSync(path);
    const stored = await files.find(given.name);
    expect(stored && (await buffer(await stored.read())).equals(bytes)).toBe(true);
    expect(await all(files)).toEqual([given.name]);
    writeFileSync(path, randomBytes(3 * MB));
    await expect(files.putFile(path, 'mp4', AbortSignal.abort())).rejects.toThrow();
    expect(await all(files)).toEqual([given.name]);
    rmSync(path);
  });

  it('that are empty are files too', async () => {
    const name = await files.put(new Uint8Array(), 'txt');
    expect((await files.find(name))?.size).toBe(0);
  });

  it('that break off, or are too long, are not there and leave nothing', async () => {
    async function* broken() {
      yield randomBytes(1000);
      throw new Error('the line broke');
    }
    await expect(files.putStream(broken(), 'mp4')).rejects.toThrow('the line broke');
    await expect(files.putStream(pieces(randomBytes(600), randomBytes(600)), 'mp4', 1000)).rejects.toThrow(
      TooManyBytes,
    );
    await expect(files.putStream(pieces(), '../x')).rejects.toThrow('not a file extension');
    expect(await all(files)).toEqual([]);
    expect(readdirSync(spoolFolder, { recursive: true }).filter((name) => String(name).length > 30)).toEqual([]);
  });

  it('that cannot be read at all are refused, and no error of theirs goes unheard', async () => {
    // An error that nobody hears would end the process: Vitest fails the run for it.
    await expect(files.putStream(createReadStream(join(home, 'never-there')), 'jpg')).rejects.toThrow('ENOENT');
    const broken = new Readable({ read: () => undefined });
    broken.destroy(new Error('broke at once'));
    await expect(files.putStream(broken, 'jpg')).rejects.toThrow('broke at once');
    expect(await all(files)).toEqual([]);
  });

  it('that nobody owns are deleted after a week; what an owner has, what is new and what came again stay', async () => {
    const names = await Promise.all(
      ['owned', 'new', 'nobody', 'again'].map((text) => files.put(Buffer.from(text), 'txt')),
    );
    const [owned = '', fresh = '', nobodys = '', again = ''] = names;
    for (const name of [owned, nobodys, again]) date(name, new Date(Date.now() - 8 * DAY));
    const owner: FileOwner = { belongsTo: 'test', sightOf: async () => null, owned: async () => [owned] };
    const away: FileOwner = { ...owner, owned: () => Promise.reject(new Error('away')) };
    const log = { info: () => undefined };
    await expect(forgetFiles(files, [owner, away], log).run(Date.now())).rejects.toThrow('away');
    expect(await all(files)).toEqual([...names].sort());
    // Stored again while the owners are asked.
    const slow: FileOwner = {
      ...owner,
      owned: async () => {
        await files.put(Buffer.from('again'), 'txt');
        return [];
      },
    };
    await forgetFiles(files, [owner, slow], log).run(Date.now());
    expect(await all(files)).toEqual([owned, fresh, again].sort());
    expect(await files.find(nobodys)).toBeNull();
    await files.delete(nobodys);
  });

  it('know no other names', async () => {
    for (const name of ['../secret', 'ab/x', '', '/etc/passwd', `ab/${'a'.repeat(64)}.exe/..`]) {
      expect(await files.find(name)).toBeNull();
      await files.delete(name);
    }
  });
});

describe('a folder of files', () => {
  it('that cannot be read, as of a disk that fails, is away: nothing of it is taken for gone', async () => {
    const folder = mkdtempSync(join(home, 'ill-'));
    symlinkSync('ab', join(folder, 'ab'));
    await expect(localFiles(folder).find(`ab/${'a'.repeat(64)}.png`)).rejects.toBeInstanceOf(FilesAway);
    expect(await localFiles(folder).find(`cd/${'a'.repeat(64)}.png`)).toBeNull();
  });

  it('forgets what was begun and never became whole, after a day', async () => {
    const folder = mkdtempSync(join(home, 'local-'));
    mkdirSync(join(folder, 'incoming'));
    for (const name of ['old', 'new']) writeFileSync(join(folder, 'incoming', name), 'half');
    utimesSync(join(folder, 'incoming', 'old'), 1, 1);
    const files = localFiles(folder);
    await files.forgetUnfinished(Date.now() - DAY);
    expect(readdirSync(join(folder, 'incoming'))).toEqual(['new']);
    expect(readFileSync(join(folder, 'incoming', 'new'), 'utf8')).toBe('half');
  });
});

describe('a store that speaks S3', () => {
  const files = () => s3Files(s3.settings, spoolFolder);

  it('is asked with signatures as the documentation works them out', () => {
    // "Signature Calculations for the Authorization Header", example GET Object.
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const signature = signatureOf(
      {
        method: 'GET',
        path: '/test.txt',
        query: new URLSearchParams(),
        headers: {
          ...{ host: 'examplebucket.s3.amazonaws.com', range: 'bytes=0-9' },
          ...{ 'x-amz-content-sha256': empty, 'x-amz-date': '20130524T000000Z' },
        },
      },
      ['host', 'range', 'x-amz-content-sha256', 'x-amz-date'],
      { secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' },
    );
    expect(signature).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
  });

  it('with a wrong key stores nothing and says so', async () => {
    const wrong = s3Files({ ...s3.settings, secretAccessKey: 'wrong' }, spoolFolder);
    await expect(wrong.put(Buffer.from('x'), 'txt')).rejects.toThrow(S3Failed);
  });

  it('gets large files in parts; what fails is tried again, then taken back', async () => {
    const bytes = randomBytes(33 * MB);
    let refusals = 2;
    s3.trouble = (request, response) => {
      if (!request.url?.includes('partNumber=2') || refusals === 0) return false;
      refusals -= 1;
      response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
      return true;
    };
    const { name } = await files().putStream(pieces(bytes), 'mp4');
    expect(s3.objects.get(`school/${name}`)?.bytes.equals(bytes)).toBe(true);
    expect(s3.asked.filter((line) => line.startsWith('PUT'))).toHaveLength(5);
    refusals = 99;
    await expect(files().putStream(pieces(bytes, Buffer.from('other')), 'mp4')).rejects.toThrow('SlowDown');
    expect(s3.uploads.size).toBe(0);
    // It says 200, and then that it failed.
    s3.trouble = (request, response) => {
      if (request.method !== 'POST' || !request.url?.includes('uploadId')) return false;
      response.writeHead(200).end('<Error><Code>InternalError</Code></Error>');
      return true;
    };
    await expect(files().putStream(pieces(bytes, Buffer.from('third')), 'mp4')).rejects.toThrow('InternalError');
    expect(readdirSync(spoolFolder)).toEqual([]);
  });

  it('that never answers, or falls silent in the middle, is waited for so long and no longer', async () => {
    const name = await files().put(randomBytes(300_000), 'mp4');
    const quick = s3Files(s3.settings, spoolFolder, hurried);
    s3.trouble = () => true;
    await expect(quick.find(name)).rejects.toThrow('no answer in time');
    s3.trouble = (request, response) => {
      if (request.method !== 'GET') return false;
      response.writeHead(200, { 'content-length': 300_000 });
      response.write(Buffer.alloc(1000));
      return true;
    };
    const found = await quick.find(name);
    await expect(buffer((await found?.read()) ?? pieces())).rejects.toThrow(S3Failed);
    // A store that does not know ranges must not pass its first bytes for others.
    s3.trouble = (request, response) => {
      if (request.method !== 'GET') return false;
      response.writeHead(200, { 'content-length': 300_000 }).end(Buffer.alloc(300_000));
      return true;
    };
    await expect(found?.read({ first: 5, last: 9 })).rejects.toThrow('not the part');
  });

  it('forgets uploads that were left unfinished for a day', async () => {
    for (const [id, days] of [
      ['old', 2],
      ['new', 0],
    ] as const)
      s3.uploads.set(id, { key: 'school/x', parts: new Map(), begun: new Date(Date.now() - days * DAY) });
    await files().forgetUnfinished(Date.now() - DAY);
    expect([...s3.uploads.keys()]).toEqual(['new']);
    s3.uploads.clear();
  });
});

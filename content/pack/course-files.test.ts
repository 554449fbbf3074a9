import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeMistake } from './mistake.ts';
import { readPack } from './pack.ts';

const root = mkdtempSync(join(tmpdir(), 'lixue-course-files-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The smallest PNG: one point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = '%PDF-1.7\n';
const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0]);

/** An archive of stored, empty entries with these names. */
function zipOf(...names: string[]): Buffer {
  const entry = (signature: number, size: number, name: Buffer, at?: number) => {
    const head = Buffer.alloc(size);
    head.writeUInt32LE(signature, 0);
    const from = at === undefined ? 26 : 28;
    head.writeUInt16LE(name.length, from);
    if (at !== undefined) head.writeUInt32LE(at, 42);
    return Buffer.concat([head, name]);
  };
  let at = 0;
  const locals = names.map((name) => entry(0x04034b50, 30, Buffer.from(name)));
  const central = names.map((name, index) => {
    const header = entry(0x02014b50, 46, Buffer.from(name), at);
    at += locals[index]?.length ?? 0;
    return header;
  });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(Buffer.concat(central).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...central, end]);
}

let made = 0;
function packOf(files: Record<string, string | Uint8Array>): string {
  made += 1;
  const folder = join(root, String(made));
  const all = {
    'pack.yaml':
      'format: 1\nslug: p\nname: 包\nsummary: 摘要\ndescription: 说明\nenrol: open\nunlock: free\ncourses: [{ slug: c, name: 课, chapters: [{ slug: a, name: 一 }] }]\n',
    'questions/1.yaml': 'questions:\n  - { key: q, chapter: a, type: 判断, topic: 题, answer: 对, score: 1 }\n',
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
const filesOf = async (folder: string) => {
  const read = await readPack(folder);
  if (!read.ok) throw new Error(read.mistakes.map(describeMistake).join('\n'));
  return read.pack.files;
};
const mistakes = async (folder: string) => {
  const read = await readPack(folder);
  return read.ok ? [] : read.mistakes.map(describeMistake);
};

describe('the files of a pack', () => {
  it('are read with their folders, in the order of their names, each as what its content is', async () => {
    const good = await filesOf(
      packOf({
        'files/讲义/第10章.pdf': PDF,
        'files/讲义/第2章.docx': zipOf('[Content_Types].xml', 'word/document.xml'),
        'files/讲义/旧版/a.doc': COMPOUND,
        'files/图.PNG': PNG,
        'files/说明.txt': Buffer.from([0xcb, 0xb5, 0xc3, 0xf7, 0x0d, 0x0a]),
        'files/e\u0301.zip': zipOf('a.txt'),
        'files/.DS_Store': 'x',
        'files/Thumbs.db': 'x',
      }),
    );
    expect(good.map(({ path, extension, fileGroup }) => [path, extension, fileGroup])).toEqual([
      ['files/讲义/第2章.docx', 'docx', 0],
      ['files/讲义/第10章.pdf', 'pdf', 0],
      ['files/讲义/旧版/a.doc', 'doc', 0],
      ['files/说明.txt', 'txt', 0],
      ['files/图.PNG', 'png', 1],
      ['files/é.zip', 'zip', 0],
    ]);
    expect(good.at(-1)?.source).toBe('files/e\u0301.zip');
  });

  it.each<[string, Record<string, string | Uint8Array>, RegExp]>([
    ['a program', { 'files/a.exe': 'MZ' }, /^files\/a\.exe:1 {2}能运行的文件不能作为资料，可用 pdf/],
    ['a page', { 'files/a.html': '<p>' }, /能运行的文件不能作为资料/],
    ['a drawing with script', { 'files/a.svg': '<svg/>' }, /能运行的文件不能作为资料/],
    ['a film', { 'files/a.mp4': 'x' }, /不支持的文件类型/],
    ['a name without ending', { 'files/README': 'x' }, /不支持的文件类型/],
    ['a name of the prototype', { 'files/a.constructor': 'x' }, /不支持的文件类型/],
    ['a picture under the name of another', { 'files/a.JPEG': PNG }, /内容不是 jpeg 文件/],
    ['a program under the name of a document', { 'files/a.pdf': 'MZ\u0090' }, /内容不是 pdf 文件/],
    ['a page under the name of a picture', { 'files/a.png': '<html>' }, /内容不是 png 文件/],
    ['a picture that breaks off', { 'files/a.png': PNG.subarray(0, 20) }, /图片已损坏/],
    [
      'a program under the name of a text',
      { 'files/a.txt': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]) },
      /内容不是 txt 文件/,
    ],
    ['a table as a text', { 'files/a.docx': zipOf('[Content_Types].xml', 'xl/workbook.xml') }, /内容不是 docx 文件/],
    ['macros', { 'files/a.docx': zipOf('word/document.xml', 'word/vbaProject.bin') }, /文件里有宏/],
    ['a locked document', { 'files/a.docx': COMPOUND }, /文件有打开密码/],
    ['a broken archive', { 'files/a.zip': 'PK\u0003\u0004xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' }, /压缩包已损坏/],
    ['nothing', { 'files/a.pdf': '' }, /文件是空的/],
    ['a name that reads otherwise', { 'files/a\u202efdp.exe.pdf': PDF }, /名称里有看不见的字符/],
    ['a name that is too long for a screen', { [`files/${'a'.repeat(120)}.txt`]: 'x' }, /名称太长/],
    ['two names that are one', { 'files/\u00e9.txt': 'x', 'files/e\u0301.txt': 'x' }, /两个同名的文件/],
    ['too many levels', { 'files/1/2/3/4/5/6/a.txt': 'x' }, /文件夹最多 5 层/],
    ['a file of that name', { files: 'x' }, /^files:1 {2}应当是文件夹/],
    [
      'slides that are none',
      {
        'lessons/1.yaml': 'lessons: [{ slug: l, course: c, name: 课, text: 文, slides: s.pdf }]',
        'lessons/s.pdf': 'x',
      },
      /slides.*内容不是 pdf 文件/,
    ],
  ])('are refused with file and reason: %s', async (_, files, reason) => {
    const found = await mistakes(packOf(files));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(reason);
  });

  it('are refused where a link leads elsewhere, and where one is larger than any may be', async () => {
    const folder = packOf({ 'files/a.txt': 'x' });
    symlinkSync('/etc/passwd', join(folder, 'files', 'b.txt'));
    symlinkSync('/etc', join(folder, 'files', 'c'));
    writeFileSync(join(folder, 'files', 'd.pdf'), PDF);
    // A hole: it takes no place on the disk.
    truncateSync(join(folder, 'files', 'd.pdf'), 500 * 1024 * 1024 + 1);
    expect(await mistakes(folder)).toEqual([
      'files/b.txt:1  这是一个链接，请放入文件本身',
      'files/c:1  这是一个链接，请放入文件本身',
      'files/d.pdf:1  文件太大，最大 500 MB',
    ]);
    const linked = packOf({ 'elsewhere.yaml': 'x' });
    symlinkSync(root, join(linked, 'files'));
    expect((await mistakes(linked)).filter((line) => line.startsWith('files'))).toEqual([
      'files:1  这是一个链接，请放入文件夹本身',
    ]);
  });
});

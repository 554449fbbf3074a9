import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeMistake } from './mistake.ts';
import { readPack } from './pack.ts';

const root = mkdtempSync(join(tmpdir(), 'lixue-lessons-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made = 0;
/** A pack with three levels of chapters, an after-class paper and a mock exam, and these lessons. */
function packOf(lessons: string, more = ''): string {
  made += 1;
  const folder = join(root, String(made));
  for (const sub of ['questions', 'papers', 'lessons']) mkdirSync(join(folder, sub), { recursive: true });
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), text, /[\u0080-\u00ff]/.test(text) ? 'latin1' : 'utf8');
  write(
    'pack.yaml',
    `format: 1\nslug: p\nname: 包\nsummary: 摘要\ndescription: 说明\nenrol: open\nunlock: sequential\n${more}courses:\n` +
      '  - { slug: c, name: 课, chapters: [{ slug: a, name: 一, chapters: [{ slug: b, name: 二, chapters: [{ slug: d, name: 三 }] }] }] }\n',
  );
  write('questions/1.yaml', 'questions:\n  - { key: q, chapter: d, type: 判断, topic: 题, answer: 对, score: 1 }\n');
  write(
    'papers/after.yaml',
    'key: after\nkind: afterclass\nname: 练\nchapter: a\nsections: [{ title: 一, questions: [q] }]\n',
  );
  write('papers/mock.yaml', 'key: mock\nkind: mock\nname: 模\nminutes: 5\nsections: [{ title: 一, questions: [q] }]\n');
  write('lessons/a.mp4', '\0\0\0\u0018ftypisom');
  write('lessons/song.mp4', 'ID3\u0004');
  write('lessons/photo.mp4', '\u00ff\u00d8\u00ff\u00e0 JFIF');
  write('lessons/list.mp4', '#EXTM3U\n/etc/passwd\n');
  write('lessons/empty.mp4', '');
  write('lessons/s.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\n<b>字</b>\n');
  write('lessons/reversed.vtt', 'WEBVTT\n\n00:03.000 --> 00:02.000\n字\n');
  write('lessons/junk.srt', 'x');
  mkdirSync(join(folder, 'media'));
  write('media/cover.svg', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>');
  write('lessons/s.pdf', '%PDF-1.7');
  write('lessons/1.yaml', `lessons:\n${lessons}`);
  return folder;
}
const mistakes = async (folder: string) => {
  const read = await readPack(folder);
  return read.ok ? [] : read.mistakes.map(describeMistake);
};

describe('lessons of a pack', () => {
  it('are read with all that they name', async () => {
    const read = await readPack(
      packOf(
        '  - slug: one\n    chapter: b\n    name: 第一课\n    video: a.mp4\n    slides: s.pdf\n    poster: media/cover.svg\n    subtitles: [{ language: zh-CN, label: 中文, file: s.vtt }]\n    profile: "**简介**"\n' +
          '    elective: true\n    trial: true\n    credits: 1.5\n    practice: [{ chapter: a, credits: 0.5 }, { paper: after }]\n' +
          '  - { slug: two, course: c, name: 第二课, text: 正文 }\n',
        'credits: true\n',
      ),
    );
    if (!read.ok) throw new Error(JSON.stringify(read.mistakes));
    expect(read.pack.scoreState).toBe(1);
    expect(read.pack.media.map(({ name }) => name)).toEqual(['media/cover.svg']);
    expect(read.pack.lessons).toEqual([
      {
        slug: 'one',
        name: '第一课',
        chapter: 'b',
        course: null,
        kind: 'video',
        elective: true,
        trial: true,
        credits: 1.5,
        profile: expect.stringContaining('<strong>简介</strong>'),
        text: '',
        media: 'a.mp4',
        poster: 'media/cover.svg',
        slides: 's.pdf',
        subtitles: [{ language: 'zh-CN', label: '中文', track: expect.stringContaining('00:00:01.000') }],
        practices: [
          { exam: 'chapter:a', credits: 0.5 },
          { exam: 'after', credits: 0 },
        ],
      },
      expect.objectContaining({
        slug: 'two',
        chapter: null,
        course: 'c',
        kind: 'text',
        credits: 0,
        media: '',
        practices: [],
      }),
    ]);
  });

  it.each([
    ['slug: x, name: 课, text: 文', '须写 chapter（第一或第二级章节），或 course（放在课程的最上层）'],
    ['slug: x, chapter: a, course: c, name: 课, text: 文', 'chapter 和 course 只写一个'],
    ['slug: x, chapter: d, name: 课, text: 文', 'd 是第三级章节，课时只能放在第一、二级，目录最多三级'],
    ['slug: x, chapter: zz, name: 课, text: 文', '没有章节 zz'],
    ['slug: x, course: zz, name: 课, text: 文', '没有课程 zz'],
    ['slug: x, chapter: a, name: 课', '没有 video 也没有 audio 的课时须写 text'],
    ['slug: x, chapter: a, name: 课, video: b.mp4', 'lessons 文件夹里没有 b.mp4'],
    ['slug: x, chapter: a, name: 课, video: empty.mp4', '文件是空的'],
    ['slug: x, chapter: a, name: 课, video: ../pack.mp4', '须为 lessons 文件夹里的文件名，不含路径'],
    ['slug: x, chapter: a, name: 课, video: s.pdf', 'video 的文件须为 .mp4'],
    ['slug: x, chapter: a, name: 课, video: a.mp4, audio: a.mp3', '一个课时只能有 video 或 audio 之一'],
    ['slug: x, chapter: a, name: 课, video: photo.mp4', '内容不是可以识别的视频，和文件名无关'],
    ['slug: x, chapter: a, name: 课, video: list.mp4', '内容不是可以识别的视频'],
    ['slug: x, chapter: a, name: 课, video: song.mp4', '里面只有声音，请写在 audio 里'],
    ['slug: x, chapter: a, name: 课, video: /etc/a.mp4', '须为 lessons 文件夹里的文件名，不含路径'],
    ['slug: x, chapter: a, name: 课, video: a.mp4, poster: cover.svg', '图片 cover.svg 不在 media 文件夹里'],
    ['slug: x, chapter: a, name: 课, text: 文, poster: media/cover.svg', '只有带 video 的课时才写 poster'],
    ['slug: x, chapter: a, name: 课, video: a.mp4, subtitles: s.vtt', '应当是一个列表'],
    [
      'slug: x, chapter: a, name: 课, video: a.mp4, subtitles: [{ language: 中文, label: 中文, file: s.vtt }]',
      '语言写法如 zh-CN、en',
    ],
    [
      'slug: x, chapter: a, name: 课, video: a.mp4, subtitles: [{ language: en, label: e, file: ../s.vtt }]',
      '不含路径',
    ],
    [
      'slug: x, chapter: a, name: 课, video: a.mp4, subtitles: [{ language: en, label: e, file: junk.srt }]',
      '里面没有一条字幕',
    ],
    [
      'slug: x, chapter: a, name: 课, video: a.mp4, subtitles: [{ language: en, label: e, file: s.vtt }, { language: en, label: e, file: s.vtt }]',
      '字幕 e 写了两次',
    ],
    [
      'slug: x, chapter: a, name: 课, text: 文, subtitles: [{ language: en, label: e, file: s.vtt }]',
      '只有带 video 或 audio 的课时才写 subtitles',
    ],
    ['slug: x, chapter: a, name: 课, text: 文, credits: 0.3', '“0.3”不正确'],
    ['slug: x, chapter: a, name: 课, text: 文, credit: 1', '不认识的字段“credit”'],
    ['slug: x, chapter: a, name: 课, text: 文, practice: [{ paper: mock }]', 'mock 不是课后练习（afterclass）'],
    ['slug: x, chapter: a, name: 课, text: 文, practice: [{ paper: zz }]', '没有试卷 zz'],
    ['slug: x, chapter: a, name: 课, text: 文, practice: [{ chapter: zz }]', '没有章节 zz'],
    ['slug: x, chapter: a, name: 课, text: 文, practice: [{ credits: 1 }]', '须写 chapter 或 paper 之一'],
    ['slug: x, chapter: a, name: 课, text: 文, practice: [{ paper: after }, { paper: after }]', '同一个练习写了两次'],
    ['slug: X!, chapter: a, name: 课, text: 文', '只能用小写字母、数字和连字符'],
  ])('{ %s } is refused with its place', async (lesson, reason) => {
    const [first, ...others] = await mistakes(packOf(`  - { ${lesson} }\n`));
    expect(first).toMatch(/^lessons\/1\.yaml:2 /);
    expect(first).toContain(reason);
    expect(others.length).toBeLessThan(2);
  });

  it('hand on what their subtitles are warned of', async () => {
    const read = await readPack(
      packOf(
        '  - { slug: x, chapter: a, name: 课, video: a.mp4, subtitles: [{ language: en, label: e, file: reversed.vtt }] }\n',
      ),
    );
    expect(read.ok && read.pack.warnings.map(describeMistake)).toEqual([
      expect.stringMatching(/^lessons\/1\.yaml:2 .*第 3 行的结束时间/),
    ]);
  });

  it('stand once, among files that lessons can have', async () => {
    expect(
      await mistakes(
        packOf('  - { slug: x, chapter: a, name: 课, text: 文 }\n  - { slug: x, chapter: a, name: 课, text: 文 }\n'),
      ),
    ).toEqual(['lessons/1.yaml:3  lessons[2].slug  课时 x 写了两次，课时的 slug 在整个课程包里不能重复']);
    const folder = packOf('  - { slug: x, chapter: a, name: 课, video: link.mp4 }\n');
    symlinkSync('/etc/passwd', join(folder, 'lessons', 'link.mp4'));
    writeFileSync(join(folder, 'lessons', 'notes.docx'), 'x');
    const only = expect.stringContaining('lessons 文件夹里只能有 .yaml 文件，和课时写到的');
    expect(await mistakes(folder)).toEqual([only, only, expect.stringContaining('这是一个链接，请放入文件本身')]);
  });
});

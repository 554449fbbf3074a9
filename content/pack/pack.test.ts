import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readPack } from './pack.ts';

const temporary = mkdtempSync(join(tmpdir(), 'lixue-pack-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const HEAD = `format: 1
slug: probe
name: 试验
summary: 只供测试。
description: 介绍
enrol: open
unlock: free
courses:
  - slug: one
    name: 课程一
    chapters:
      - slug: a
        name: 第一章
        chapters:
          - { slug: a-1, name: 第一节 }
`;
const QUESTION = `questions:
  - key: q-1
    chapter: a-1
    type: 单选
    topic: 题干
    options: { A: 甲, B: 乙 }
    answer: A
    score: 1
`;
const PAPER = `key: p-1
kind: mock
name: 卷一
minutes: 60
sections:
  - { title: 一, questions: [q-1] }
`;
const PRACTICE = PAPER.replace('mock', 'afterclass').replace('minutes: 60', 'chapter: a-1');

let packs = 0;
function packOf(files: Record<string, string | Uint8Array>): string {
  packs += 1;
  const folder = join(temporary, String(packs));
  for (const [name, text] of Object.entries({
    'pack.yaml': HEAD,
    'questions/1.yaml': QUESTION,
    'papers/1.yaml': PAPER,
    ...files,
  })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
async function mistakes(files: Record<string, string | Uint8Array>): Promise<string[]> {
  const read = await readPack(packOf(files));
  return read.ok ? [] : read.mistakes.map(({ file, line, where, reason }) => `${file}:${line} ${where} ${reason}`);
}

const demo = join(import.meta.dirname, '..', 'demo');
test.each(readdirSync(demo).filter((name) => name !== 'storefront'))(
  'the demo pack %s has no mistake',
  async (name) => {
    const read = await readPack(join(demo, name));
    expect(read.ok ? [] : read.mistakes).toEqual([]);
  },
);

test.each([
  ['a comment behind a text', '语言 #1 是', ['“#”后面的“1 是”是注释，学员看不到；要它请把整段文字放进引号']],
  [
    'an element that no text has',
    'vector<int> 与 `vector<int>`',
    ['标签 <int> 学员看不到；要显示标签本身，请写在反引号里：`<int>`'],
  ],
  [
    'a product',
    '2*3*4 与 *斜体* 与 un*friggin*real',
    ['“*3*”按 Markdown 读成了斜体，“*”学员看不到；乘号请写成 × 或 \\*'],
  ],
  [
    'nothing: line ends and tabs before what begins like a command, beside money and formulas',
    String.raw`"$a$\neg 共 $3\ni 元"`,
    [],
  ],
  ['nothing: quotes, line ends, other escapes', '"甲#1\\n乙\\t$x$ \\\\frac"', []],
])('what of a text does not reach the page is said: %s', async (_, topic, reasons) => {
  const read = await readPack(packOf({ 'questions/1.yaml': QUESTION.replace('题干', topic) }));
  expect(read.ok && read.pack.warnings.map(({ reason }) => reason)).toEqual(reasons);
});

test('the nasty pack is read whole, and nothing of it can run', async () => {
  const read = await readPack(join(import.meta.dirname, '..', 'test', 'nasty'));
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes));
  const { description, cases, questions, media } = read.pack;
  const html = [
    description,
    ...cases.map(({ text }) => text),
    ...questions.flatMap(({ topic, analysis, rightAnswer, options }) => [
      topic,
      analysis,
      rightAnswer,
      ...Object.values(options),
    ]),
  ].join('\n');
  expect(html).not.toMatch(/<(?:script|iframe|form|input|svg|math|style|base|meta)/i);
  expect(html).not.toMatch(/<[^>]+\s(?:on\w+|style|class|id)=/i);
  expect(html).not.toMatch(/(?:href|src)="(?!https?:\/\/|media\/)/i);
  expect(html).toContain('脚本标签之后的文字应当保留');
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(media.map(({ name }) => name).sort()).toEqual(['media/dot.png', 'media/triangle.svg']);
});

test('the broken pack is refused with every mistake, its place and reason', async () => {
  const read = await readPack(join(import.meta.dirname, '..', 'test', 'broken'));
  const found = read.ok ? [] : read.mistakes.map(({ file, line, reason }) => `${file}:${line} ${reason}`);
  for (const expected of [
    /^pack\.yaml:19 .*one 写了两次/,
    /^questions\/01-keys\.yaml:10 .*good-1 写了两次/,
    /^questions\/01-keys\.yaml:19 没有章节 three/,
    /^questions\/02-answers\.yaml:8 .*E 没有对应的选项/,
    /^questions\/02-answers\.yaml:17 多选题至少要有两个答案/,
    /^questions\/02-answers\.yaml:21 没有写 topic/,
    /^questions\/02-answers\.yaml:30 “填空”不正确/,
    /^questions\/02-answers\.yaml:42 “0\.3”不正确/,
    /^questions\/02-answers\.yaml:47 公式里不能定义新命令/,
    /^questions\/03-images\.yaml:6 图片 media\/not-there\.svg/,
    /^questions\/03-images\.yaml:14 图片 .*secret\.png/,
    /^questions\/04-bad-yaml\.yaml:\d+ YAML 写法有误/,
    /^papers\/mock-1\.yaml:9 没有试题 ghost-999/,
  ]) {
    expect(found).toContainEqual(expect.stringMatching(expected));
  }
});

describe('scoring points of a pack', () => {
  const written = (points: string, type = '简答') =>
    `questions:\n  - key: q-1\n    chapter: a-1\n    type: ${type}\n    topic: 题干\n    answer: ${type === '判断' ? '对' : '参考'}\n    score: 5\n    points:\n${points}`;

  test('are read with their key words', async () => {
    const read = await readPack(
      packOf({
        'questions/1.yaml': written(
          "      - { text: '由【连续|连续性】得 $a=b$', weight: 2 }\n      - { text: 结论, weight: 2.5 }\n",
        ),
      }),
    );
    expect(read).toMatchObject({
      ok: true,
      pack: {
        questions: [
          {
            points: [
              { text: '由连续得 \\(a=b\\)', weight: 2, words: ['连续', '连续性'] },
              { text: '结论', weight: 2.5, words: [] },
            ],
          },
        ],
      },
    });
  });

  test.each([
    ['no weight', '      - { text: 甲 }\n', ':9 questions[1].points[1] 没有写 weight'],
    ['a weight of no steps', '      - { text: 甲, weight: 0.3 }\n', '“0.3”不正确'],
    ['no text', '      - { weight: 1 }\n', '没有写 text'],
    ['more than the question gives', '      - { text: 甲, weight: 5.5 }\n', '加起来是 5.5 分，超过了本题的 5 分'],
    ['too many', '      - { text: 甲, weight: 0.5 }\n'.repeat(31), '采点太多（31 个）'],
    ['an unknown field', '      - { text: 甲, weight: 1, score: 1 }\n', '不认识的字段“score”'],
    ['an open bracket', '      - { text: 指出【坏账, weight: 1 }\n', '【】没有成对'],
    ['a text instead of a list', '      甲\n', '应当是一个列表'],
  ])('are refused: %s', async (_, points, why) => {
    expect(await mistakes({ 'questions/1.yaml': written(points) })).toEqual([expect.stringContaining(why)]);
  });

  test('are refused beside a question that is not scored by its student', async () => {
    const found = await mistakes({ 'questions/1.yaml': written('      - { text: 甲, weight: 1 }\n', '判断') });
    expect(found).toEqual([expect.stringContaining('判断题不写采点')]);
  });
});

describe('the whole pack', () => {
  test('reads into memory', async () => {
    const read = await readPack(packOf({}));
    expect(read).toMatchObject({
      ok: true,
      pack: {
        slug: 'probe',
        courses: [{ slug: 'one', chapters: [{ slug: 'a', chapters: [{ slug: 'a-1' }] }] }],
        questions: [
          { key: 'q-1', type: 2, rightAnswer: 'A', chapter: 'a-1', score: 1, difficulty: null, caseKey: null },
        ],
        papers: [{ key: 'p-1', minutes: 60, sections: [{ questions: [{ key: 'q-1', score: 1 }] }] }],
      },
    });
  });

  test('formulas that cannot be set keep nothing out, and are named with their place', async () => {
    const read = await readPack(packOf({ 'questions/1.yaml': QUESTION.replace('题干', '求 $\\foo$') }));
    expect(read.ok && read.pack.warnings).toEqual([
      {
        file: 'questions/1.yaml',
        line: 5,
        where: 'questions[1].topic',
        reason: '公式排不出来，会照原样显示（不认识的命令 \\foo）：\\foo',
      },
    ]);
  });

  test('a folder that is not there', async () => {
    const read = await readPack(join(temporary, 'nothing'));
    expect(read).toMatchObject({ ok: false, mistakes: [{ reason: '没有这个文件夹' }] });
  });

  test.each<[string, Record<string, string | Uint8Array>, RegExp]>([
    ['format', { 'pack.yaml': HEAD.replace('format: 1', 'format: 2') }, /pack\.yaml:1 format 不支持的格式版本/],
    ['slug', { 'pack.yaml': HEAD.replace('slug: probe', 'slug: Probe_1') }, /pack\.yaml:2 slug .*小写字母/],
    ['no name', { 'pack.yaml': HEAD.replace('name: 试验\n', '') }, /pack\.yaml:1 {2}没有写 name/],
    ['a long summary', { 'pack.yaml': HEAD.replace('只供测试。', '长'.repeat(201)) }, /pack\.yaml:4 summary 太长（201/],
    ['a day that is none', { 'pack.yaml': `${HEAD}examDate: 2026-02-30\n` }, /examDate .*不是日期/],
    ['a slip of the pen', { 'pack.yaml': `${HEAD}sumary: x\n` }, /pack\.yaml:16 sumary 不认识的字段/],
    [
      'four levels',
      {
        'pack.yaml': HEAD.replace(
          '{ slug: a-1, name: 第一节 }',
          '{ slug: a-1, name: 节, chapters: [{ slug: b, name: 点, chapters: [{ slug: c, name: 深 }] }] }',
        ),
      },
      /章节最多三级/,
    ],
    ['no courses', { 'pack.yaml': HEAD.slice(0, HEAD.indexOf('courses')) }, /至少要有一门课程/],
    ['a key twice in a mapping', { 'pack.yaml': `${HEAD}name: 又一个\n` }, /YAML 写法有误：同一个键写了两次/],
    ['no mapping', { 'questions/1.yaml': '- 1\n', 'papers/1.yaml': PAPER.replace('q-1', 'q-1') }, /最外层应当是/],
    [
      'a file that is no text',
      { 'questions/2.yaml': Uint8Array.of(0xff, 0xfe, 0x00) },
      /questions\/2\.yaml:1 {2}文件不是 UTF-8 编码/,
    ],
    ['a file that does not belong', { 'questions/notes.txt': 'x' }, /只能有 \.yaml 文件/],
    [
      'two equal options',
      { 'questions/1.yaml': QUESTION.replace('B: 乙', 'B: 丙, C: " 甲 "') },
      /options 选项A和选项C相同/,
    ],
    [
      'two options that a page shows alike',
      { 'questions/1.yaml': QUESTION.replace('A: 甲', 'A: "**甲**"').replace('B: 乙', 'B: "<b>甲</b>"') },
      /options 选项A和选项B相同/,
    ],
    [
      'a command of LaTeX that double quotes make a sign of',
      { 'questions/1.yaml': QUESTION.replace('题干', '"设 $\\\\frac12$ 与 $\\frac{1}{2}$"') },
      /1\.yaml:5 questions\[1\]\.topic 双引号里的 \\frac 不是公式/,
    ],
    [
      'a command of LaTeX that double quotes make a tab of',
      { 'questions/1.yaml': QUESTION.replace('题干', '"$a \\times b$"') },
      /双引号里的 \\times 不是公式/,
    ],
    [
      'a command of LaTeX that double quotes make a line end of',
      { 'questions/1.yaml': QUESTION.replace('题干', '"$\\Phi(x)$"') },
      /双引号里的 \\Phi 不是公式/,
    ],
    [
      'an option that says null',
      { 'questions/1.yaml': QUESTION.replace('B: 乙', 'B: 乙, C: null') },
      /options\.C “null”/,
    ],
    ['two texts in one file', { 'questions/1.yaml': `${QUESTION}---\n${QUESTION}` }, /有几份内容（用 --- 分开的）/],
    ['a gap in the options', { 'questions/1.yaml': QUESTION.replace('B: 乙', 'C: 乙') }, /选项B是空的/],
    ['a ninth option', { 'questions/1.yaml': QUESTION.replace('B: 乙', 'B: 乙, I: 多') }, /options\.I 不认识的字段/],
    [
      'options of a judge question',
      { 'questions/1.yaml': QUESTION.replace('单选', '判断').replace('answer: A', 'answer: 对') },
      /判断题不写选项/,
    ],
    ['a text where a list belongs', { 'papers/1.yaml': PAPER.replace('[q-1]', 'q-1') }, /应当是一个列表/],
    [
      'a list where a text belongs',
      { 'questions/1.yaml': QUESTION.replace('answer: A', 'answer: [A]') },
      /answer 应当是一段文字/,
    ],
    ['no points', { 'questions/1.yaml': QUESTION.replace('    score: 1\n', '') }, /没有写 score/],
    ['a case that is not there', { 'questions/1.yaml': `${QUESTION}    case: nobody\n` }, /case 没有材料 nobody/],
    ['a paper without its time', { 'papers/1.yaml': PAPER.replace('minutes: 60\n', '') }, /须写 minutes/],
    ['a past paper without its year', { 'papers/1.yaml': PAPER.replace('mock', 'past') }, /历年真题须写 year/],
    [
      'after-class practice with a time',
      { 'papers/1.yaml': PAPER.replace('mock', 'afterclass') },
      /minutes 课后练习不限时/,
    ],
    [
      'a second practice at one chapter',
      {
        'papers/1.yaml': PRACTICE,
        'papers/2.yaml': PRACTICE.replace('p-1', 'p-2'),
      },
      /papers\/2\.yaml:\d+ chapter 章节 a-1 已有课后练习 p-1/,
    ],
    ['a question twice in a paper', { 'papers/1.yaml': PAPER.replace('[q-1]', '[q-1, q-1]') }, /出现了两次/],
    ['a course that is not there', { 'papers/1.yaml': `${PAPER}course: two\n` }, /没有课程 two/],
    ['a pass score above the total', { 'papers/1.yaml': `${PAPER}passScore: 90\n` }, /及格分 90 高于总分 1/],
    ['no attempt at all', { 'papers/1.yaml': `${PAPER}retakes: { most: 0 }\n` }, /most “0”不正确/],
    [
      'an unknown counted record',
      { 'papers/1.yaml': `${PAPER}retakes: { counts: worst }\n` },
      /“worst”不正确，可用：first、best、last/,
    ],
    ['partial above one', { 'papers/1.yaml': `${PAPER}partial: 2\n` }, /partial “2”不正确/],
    ['two papers of one key', { 'papers/2.yaml': PAPER }, /papers\/2\.yaml:1 key 试卷 p-1 写了两次/],
    ['a picture that is none', { 'media/a.png': 'no picture' }, /media\/a\.png:1 {2}内容不是 png 图片/],
    ['a picture of another kind', { 'media/a.bmp': 'BM' }, /不支持的图片格式/],
    [
      'a large picture',
      { 'media/a.png': new Uint8Array(2 * 1024 * 1024 + 1) },
      /media\/a\.png:1 {2}文件太大，最大 2 MB/,
    ],
  ])('refuses: %s', async (_, files, expected) => {
    expect(await mistakes(files)).toContainEqual(expect.stringMatching(expected));
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['a folder in capitals', { 'Papers/1.yaml': PAPER }, /^Papers:1 {2}名称须写作 papers，区分大小写$/],
    ['a misspelt folder', { 'question/1.yaml': QUESTION }, /^question:1 {2}不认识的名称，这里只能有 pack\.yaml、/],
    ['a second file', { 'pack.yml': HEAD }, /^pack\.yml:1 {2}不认识的名称/],
  ])('refuses beside pack.yaml: %s', async (_, files, expected) => {
    expect(await mistakes(files)).toContainEqual(expect.stringMatching(expected));
  });

  test.each(['questions', 'papers', 'media'] as const)(
    '%s that cannot be read is not a folder without files',
    async (sub) => {
      const reasonsFor = async (replace: (path: string) => void) => {
        const folder = packOf({});
        rmSync(join(folder, sub), { recursive: true, force: true });
        replace(join(folder, sub));
        const read = await readPack(folder);
        return read.ok ? [] : read.mistakes.map(({ file, reason }) => `${file} ${reason}`);
      };
      expect(await reasonsFor((path) => writeFileSync(path, ''))).toContain(`${sub} 应当是文件夹，不是文件`);
      expect(await reasonsFor((path) => symlinkSync('nowhere', path))).toContain(
        `${sub} 这是一个链接，请放入文件夹本身`,
      );
      expect(await reasonsFor((path) => symlinkSync(sub, path))).toContain(`${sub} 这是一个链接，请放入文件夹本身`);
    },
  );

  test('a name keeps no sign that nobody sees, and no text a NUL', async () => {
    const read = await readPack(
      packOf({
        'pack.yaml': HEAD.replace('试验', '"试\\0验\\u202E"').replace('第一章', '"第\\e一章"'),
        'questions/1.yaml': QUESTION.replace('题干', '"题\\0干 $a\\0b$"'),
        'papers/1.yaml': PAPER.replace('卷一', '"卷\\r一\\a"'),
      }),
    );
    expect(read).toMatchObject({
      ok: true,
      pack: {
        name: '试验',
        courses: [{ chapters: [{ name: '第一章' }] }],
        questions: [{ topic: '题干 \\(ab\\)' }],
        papers: [{ name: '卷\n一' }],
      },
    });
    expect(await mistakes({ 'papers/1.yaml': PAPER.replace('卷一', '"\\0"') })).toContain(
      'papers/1.yaml:1  没有写 name',
    );
  });

  test('folders may be left out, and what other programs leave behind is no mistake', async () => {
    const folder = packOf({ '.git/HEAD': 'x', 'Thumbs.db': 'x', 'media/.DS_Store': 'x', 'questions/~$1.yaml': 'x' });
    rmSync(join(folder, 'papers'), { recursive: true });
    expect(await readPack(folder)).toMatchObject({ ok: true, pack: { papers: [] } });
  });

  test.each(['pack.yaml', 'questions/1.yaml', 'papers/1.yaml', 'media/a.png', 'questions', 'papers', 'media'])(
    'no link is followed: %s',
    async (name) => {
      // What it leads to would be read without a mistake.
      const folder = packOf({ 'media/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>' });
      const outside = join(temporary, `outside-${name.replace('/', '-')}`);
      if (name === 'media/a.png') cpSync(join(import.meta.dirname, '..', 'test', 'nasty', 'media', 'dot.png'), outside);
      else renameSync(join(folder, name), outside);
      symlinkSync(outside, join(folder, name));
      const read = await readPack(folder);
      expect(read.ok ? [] : read.mistakes).toContainEqual(
        expect.objectContaining({ file: name, reason: expect.stringMatching(/^这是一个链接，请放入文件(夹)?本身$/) }),
      );
      rmSync(join(folder, name));
      renameSync(outside, join(folder, name));
      expect(await readPack(folder)).toMatchObject({ ok: true });
    },
  );

  test('a pipe and a device are not waited for', async () => {
    const folder = packOf({});
    rmSync(join(folder, 'pack.yaml'));
    execFileSync('mkfifo', [join(folder, 'pack.yaml')]);
    mkdirSync(join(folder, 'media'));
    execFileSync('mkfifo', [join(folder, 'media', 'a.png')]);
    const read = await readPack(folder);
    expect(read.ok ? [] : read.mistakes.map(({ file, reason }) => `${file} ${reason}`)).toEqual(
      expect.arrayContaining(['media/a.png 不是普通文件', 'pack.yaml 不是普通文件']),
    );
  });

  test.each([
    '../secret.png',
    'media/../../secret.png',
    '/etc/hostname',
    'media/./a.svg',
    'media//a.svg',
    'media/CON',
    '..\\..\\secret.png',
  ])('a text reaches no file outside of media: %s', async (name) => {
    expect(
      await mistakes({
        'questions/1.yaml': QUESTION.replace('题干', `'![图](${name})'`),
        'media/a.svg': '<svg></svg>',
      }),
    ).toEqual([expect.stringMatching(/不在 media 文件夹里/)]);
  });

  test('a file that nests too deep is said to, and not to be in another encoding', async () => {
    expect(await mistakes({ 'questions/1.yaml': `questions: ${'['.repeat(3000)}` })).toContainEqual(
      'questions/1.yaml:1  YAML 写法有误：嵌套太深',
    );
  });

  test('no more aliases than a thousand', async () => {
    const many = `questions:\n  - &a { key: q-1 }\n${'  - *a\n'.repeat(1001)}`;
    expect(await mistakes({ 'questions/1.yaml': many, 'papers/1.yaml': PRACTICE })).toContainEqual(
      expect.stringContaining('引用（*）太多，一个文件最多 1000 处'),
    );
  });

  test('a nest of aliases ends quickly', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nquestions: *c\n`;
    expect(await mistakes({ 'questions/1.yaml': bomb })).not.toEqual([]);
  });

  test('an alias stands for what it names', async () => {
    const files = {
      'questions/1.yaml': QUESTION.replace('options: { A: 甲, B: 乙 }', 'options: &o { A: 甲, B: 乙 }').concat(
        QUESTION.split('\n').slice(1).join('\n').replace('q-1', 'q-2').replace('{ A: 甲, B: 乙 }', '*o'),
      ),
    };
    expect(await mistakes(files)).toEqual([]);
  });
});

test('a copy of the nasty pack without its pictures names each place that needs one', async () => {
  const folder = join(temporary, 'no-pictures');
  cpSync(join(import.meta.dirname, '..', 'test', 'nasty'), folder, { recursive: true });
  rmSync(join(folder, 'media'), { recursive: true });
  const read = await readPack(folder);
  const reasons = read.ok ? [] : read.mistakes.map(({ reason }) => reason);
  expect(reasons.filter((reason) => reason.includes('不在 media 文件夹里')).length).toBeGreaterThanOrEqual(5);
});

describe('how a pack is sold', () => {
  const sold = async (lines: string) => {
    const read = await readPack(packOf({ 'pack.yaml': HEAD.replace('unlock: free\n', `unlock: free\n${lines}`) }));
    return read.ok ? read.pack.sale : read.mistakes.map(({ line, where, reason }) => `${line} ${where} ${reason}`);
  };

  describe('a paper that keeps its questions out of practice', () => {
    const RESERVED = `${PAPER}reserved: true\n`;
    const read = async (files: Record<string, string>) => {
      const done = await readPack(packOf(files));
      return done.ok ? done.pack.papers.map(({ key, reserved }) => [key, reserved]) : done.mistakes;
    };

    test('says so in one word; without it nothing is kept', async () => {
      expect(await read({ 'papers/1.yaml': RESERVED })).toEqual([['p-1', true]]);
      expect(await read({})).toEqual([['p-1', false]]);
      // Two papers may share what they keep, and one that keeps nothing may have it as well.
      const second = PAPER.replace('p-1', 'p-2');
      expect(await read({ 'papers/1.yaml': RESERVED, 'papers/2.yaml': second })).toEqual([
        ['p-1', true],
        ['p-2', false],
      ]);
    });

    test('is no practice itself, and no practice has its questions, whichever file comes first', async () => {
      expect(await mistakes({ 'papers/1.yaml': `${PRACTICE}reserved: true\n` })).toEqual([
        expect.stringContaining('papers/1.yaml:7 reserved 课后练习本身就是练习，不写 reserved'),
        expect.stringContaining('由试卷 p-1 保留'),
      ]);
      const practice = PRACTICE.replace('p-1', 'ac-1');
      const why = '试题 q-1 由试卷 p-1 保留（reserved），不能再放进课后练习';
      expect(await mistakes({ 'papers/1.yaml': RESERVED, 'papers/2.yaml': practice })).toEqual([
        `papers/2.yaml:6 sections[1].questions[1] ${why}`,
      ]);
      expect(await mistakes({ 'papers/1.yaml': practice, 'papers/2.yaml': RESERVED })).toEqual([
        `papers/1.yaml:6 sections[1].questions[1] ${why}`,
      ]);
      expect(await mistakes({ 'papers/1.yaml': `${PAPER}reserved: 是\n` })).toEqual([
        'papers/1.yaml:7 reserved 须为 true 或 false',
      ]);
    });

    test('has no question that is practised under another key', async () => {
      const twin = QUESTION.replace('questions:\n', '').replace('q-1', 'q-2');
      const both = { 'questions/1.yaml': QUESTION + twin };
      expect(await mistakes({ ...both, 'papers/1.yaml': RESERVED })).toEqual([
        'papers/1.yaml:6 sections[1].questions[1] 保留的试题 q-1 与试题 q-2 的题干、选项和材料相同，而 q-2 会出现在练习里',
      ]);
      expect(await mistakes({ ...both, 'papers/1.yaml': RESERVED.replace('[q-1]', '[q-1, q-2]') })).toEqual([]);
      expect(await mistakes(both)).toEqual([]);
    });
  });

  test('prices are exact, days are China\'s and "until" takes in its day', async () => {
    expect(
      await sold('price: 19.9\noriginalPrice: "199"\nseats: 30\nsaleFrom: 2026-12-01 20:00\nsaleUntil: 2026-12-31\n'),
    ).toEqual({
      price: 1990,
      originalPrice: 19_900,
      seats: 30,
      saleFrom: Date.parse('2026-12-01T20:00:00+08:00'),
      saleUntil: Date.parse('2027-01-01T00:00:00+08:00'),
    });
    expect(await sold('price: 199.00\n')).toMatchObject({ price: 19_900, seats: null, saleUntil: null });
    expect(await sold('')).toEqual({ price: null, originalPrice: null, seats: null, saleFrom: null, saleUntil: null });
  });

  test.each([
    ['price: 0.00', /8 price 金额须大于 0/],
    ['price: -5', /8 price “-5”不是金额/],
    ['price: 1e3', /“1e3”不是金额/],
    ['price: 19.999', /“19.999”不是金额/],
    ['price: ¥199', /“¥199”不是金额/],
    ['price: 1,000', /“1,000”不是金额/],
    ['price: 99999999', /不是金额/],
    ['price: 19\noriginalPrice: 19', /9 originalPrice 原价须高于现价/],
    ['seats: 20', /8 seats 写了 seats 却没有写 price/],
    ['saleUntil: 2026-12-31', /写了 saleUntil 却没有写 price/],
    ['price: 9\nseats: 0', /9 seats “0”不正确/],
    ['price: 9\nsaleFrom: 2026-02-30', /“2026-02-30”不是日期/],
    ['price: 9\nsaleFrom: 2026-12-01 24:00', /不是日期/],
    ['price: 9\nsaleFrom: 2026-12-01\nsaleUntil: 2026-11-30', /10 saleUntil 停售时间须晚于开售时间/],
  ])('%s is refused', async (lines, sentence) => {
    expect(await sold(`${lines}\n`)).toEqual([expect.stringMatching(sentence)]);
  });
});

import { describe, expect, it } from 'vitest';
import { readSubtitles } from './subtitles.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const track = (text: string | Uint8Array) => {
  const read = readSubtitles(typeof text === 'string' ? bytes(text) : text);
  return read.ok ? read.value.track : `refused: ${read.why}`;
};
/** What is shown, a cue a line, and what is said of the file. */
const read = (text: string | Uint8Array) => {
  const made = readSubtitles(typeof text === 'string' ? bytes(text) : text);
  if (!made.ok) return `refused: ${made.why}`;
  const cues = made.value.track.split('\n\n').slice(1);
  const shown = cues.map((cue) =>
    cue.trimEnd().split('\n').slice(1).join('/').replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
  );
  return { shown, warnings: made.value.warnings };
};
const FIRST = '1\n00:00:01,000 --> 00:00:02,500\n极限\n';
const CUES = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n极限\n';

describe('subtitles', () => {
  it.each<[string, string | Uint8Array]>([
    ['SubRip', FIRST],
    [
      'WebVTT',
      'WEBVTT - title\nKind: captions\n\nNOTE no\n\nSTYLE\n::cue { color: red }\n\n00:01.000 --> 00:02.500 line:0\n极限',
    ],
    ['with a mark of UTF-8', `\ufeff${FIRST}`],
    ['with CRLF', FIRST.replaceAll('\n', '\r\n')],
    ['with CR alone', FIRST.replaceAll('\n', '\r')],
    ['in UTF-16', Buffer.from(`\ufeff${FIRST}`, 'utf16le')],
    ['in UTF-16, the other way round', Buffer.from(`\ufeff${FIRST}`, 'utf16le').swap16()],
    ['in GB18030', Buffer.concat([bytes('1\n00:00:01,000 --> 00:00:02,500\n'), Buffer.from([0xbc, 0xab, 0xcf, 0xde])])],
    ['with tags', '00:00:01.000 --> 00:00:02.500\n{\\an8}<v 老师><b>极</b><c.red>限</c></v><00:00:02.000>\n'],
    ['with what cannot be seen', '00:00:01.000 --> 00:00:02.500\n\u202e极\u200b限\n'],
    ['among junk', `%%%\n\nhello\n\n${FIRST}`],
    ['without empty lines', '00:00:01.000-->00:00:02.500\n极限'],
  ])('%s is the same track', (_, file) => expect(track(file)).toBe(CUES));

  it('of WebVTT with all that its format has are read without a warning', () =>
    expect(
      read(
        'WEBVTT - title\nKind: captions\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\nNOTE no\nno\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:fred\n\n' +
          '00:01.000 --> 00:02.000 line:0 position:10%,line-left align:start\n一\n\nNOTE between\n\nname\n00:02.000 --> 00:03.000 region:fred\n二\n\nnamed too\n00:03.000 --> 00:04.000\n三\n',
      ),
    ).toEqual({ shown: ['一', '二', '三'], warnings: [] }));

  it.each([
    [
      '极限就是越来越近却永远不到的那个数我们来看',
      'bcabcfdebecdcac7d4bdc0b4d4bdbdfcc8b4d3c0d4b6b2bbb5bdb5c4c4c7b8f6cafdced2c3c7c0b4bfb4',
    ],
    // Of UTF-8 it has 15 good characters and 9 broken ones.
    [
      '现在可以关闭通知了关闭关闭（秒）通知通知',
      'cfd6d4dabfc9d2d4b9d8b1d5cda8d6aac1cbb9d8b1d5b9d8b1d5a3a8c3eba3a9cda8d6aacda8d6aa',
    ],
    [
      '今天我们讲导数的定义，它是函数在一点的瞬时变化率，也就是割线斜率的极限。请先回忆上节课的内容，再看下面的例题。',
      'bdf1ccecced2c3c7bdb2b5bccafdb5c4b6a8d2e5a3accbfccac7baafcafdd4dad2bbb5e3b5c4cbb2cab1b1e4bbafc2caa3acd2b2becdcac7b8eecfdfd0b1c2cab5c4bcabcfdea1a3c7ebcfc8bbd8d2e4c9cfbddabfceb5c4c4dac8dda3acd4d9bfb4cfc2c3e6b5c4c0fdcce2a1a3',
    ],
  ])('in GB18030, %s is read', (said, hex) =>
    expect(read(Buffer.concat([bytes('00:00:01,000 --> 00:00:02,500\n'), Buffer.from(hex, 'hex')]))).toEqual({
      shown: [said],
      warnings: [],
    }),
  );

  it('are in order of time, end where they do not say so, and hold no sign that a player reads', () =>
    expect(
      track(
        '9\n00:00:20,000 --> 00:00:10,000\nend before its start\n10\n00:00:05 --> \na < b & c --> d\n\n0:00:01.5 --> 00:00:04.000\n&lt;i&gt; &amp;amp; &nbsp;\nsecond\n',
      ),
    ).toBe(
      'WEBVTT\n\n00:00:01.500 --> 00:00:04.000\n&lt;i&gt; &amp;amp;\nsecond\n\n' +
        '00:00:05.000 --> 00:00:10.000\na &lt; b &amp; c --&gt; d\n\n00:00:20.000 --> 00:00:25.000\nend before its start\n',
    ));

  it.each<[string, string | Uint8Array, RegExp]>([
    ['nothing', '', /没有一条字幕/],
    ['only numbers', '1\n2\n3\n', /没有一条字幕/],
    ['empty cues', '00:01.000 --> 00:02.000\n<b></b>\n', /没有一条字幕/],
    ['a picture', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a]), /编码|不是字幕/],
    [
      'UTF-8 with one damaged character',
      Buffer.concat([bytes(`1\n00:01 --> 00:02\n${'极限'.repeat(20)}`), Buffer.from([0xe6, 0x9e]), bytes('\n限')]),
      /第 3 行有损坏的字（UTF-8）/,
    ],
    [
      'UTF-8 with one damaged character of five',
      Buffer.concat([
        bytes('1\n00:01 --> 00:02\nIt’s what you’d say\nwe’re there\nthat’s it\nthey'),
        Buffer.from([0xe2, 0x80]),
        bytes('ll'),
      ]),
      /第 6 行有损坏的字（UTF-8）/,
    ],
    [
      'UTF-8 with one damaged character of two',
      Buffer.concat([bytes('1\n00:01 --> 00:02\nIt’s\nthey'), Buffer.from([0xe2, 0x80]), bytes('ll')]),
      /第 4 行有损坏的字（UTF-8）/,
    ],
    [
      'lines too long together',
      `00:01.000 --> 00:02.000\n${`${'字'.repeat(400)}\n`.repeat(3)}`,
      /第 4 行的字幕超过 1000 个字符/,
    ],
    ['zeros', new Uint8Array(1000), /不是字幕文件/],
    ['a book in one cue', `00:01.000 --> 00:02.000\n${'字'.repeat(1001)}`, /第 2 行的字幕超过 1000 个字符/],
    ['too many', '00:01.000 --> 00:02.000\nx\n\n'.repeat(20_001), /超过 20000 条/],
  ])('%s is refused', (_, file, why) => expect(track(file)).toMatch(why));

  it.each<[string, string]>([
    ['当 a<b 且 c>d 时', '当 a<b 且 c>d 时'],
    ['List<String>', 'List<String>'],
    ['#include <stdio.h>', '#include <stdio.h>'],
    ['用 <p> 标签', '用 <p> 标签'],
    ['集合 {\\alpha, \\beta}', '集合 {\\alpha, \\beta}'],
    ['$\\frac{\\pi}{2}$', '$\\frac{\\pi}{2}$'],
    ['$\\nabla$ $\\Nu$', '$\\nabla$ $\\Nu$'],
    ['用 \\n 换行', '用 \\n 换行'],
    ['Box<V>、Stack<C>、Set<S>', 'Box<V>、Stack<C>、Set<S>'],
    ['若 a<b>c 则', '若 a<b>c 则'],
    ['a<i>0', 'a<i>0'],
    ['a<c>b、u<v>w', 'a<c>b、u<v>w'],
    ['结尾写 </b>', '结尾写 </b>'],
    ['a<b>c，<b>重点</b>', 'a<b>c，重点'],
    ['</i>一<i>', '</i>一<i>'],
    ['<B>一</b><I>二</I><FONT size=3>三</FONT>', '一二三'],
    ['<i>第一行\n第二行</i>', '第一行\n第二行'],
    ['- <v 老师>一</v>\n<v.loud 学生>二', '- <v 老师>一\n二'],
    ['<c.red>一</c><ruby>汉<rt>hàn</rt></ruby>', '一汉hàn'],
    ['一\\h二\\h\\h三\\h', '一 二 三'],
    ['\\hText $x\\hbar$ 用 \\h 匹配', 'Text $x\\hbar$ 用 \\h 匹配'],
    ['<font color="red">一</font><i>二</i><lang en>x</lang>', '一二x'],
    ['{\\an8\\pos(1,2)}{\\c&HFF00&}{\\fad(1,2)}{\\i1}一{\\i0}{\\r}', '一'],
    ['第一行<br>第二行', '第一行\n第二行'],
    ['第一行<br />第二行\\N第三行\\n第四行', '第一行\n第二行\n第三行\n第四行'],
    ['It&#39;s &hellip; &copy;&lrm;', "It's … ©"],
  ])('say %s as %s', (line, shown) =>
    expect(
      track(`00:01.000 --> 00:02.000\n${line}\n`)
        .split('\n')
        .slice(3)
        .join('\n')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .trimEnd(),
    ).toBe(shown),
  );

  it.each([
    ['00:00:01，000 --> 00:00:02，500'],
    ['00：00：01.000 –> 00：00：02.500'],
    ['00:00:01:000 -> 00:00:02:500'],
    ['00:00:01.000000 → 00 : 00 : 02 , 500'],
  ])('with the time %s are the same track', (time) => expect(track(`1\n${time}\n极限\n`)).toBe(CUES));

  it.each([['-00:00:03,000'], ['3.0'], ['1000:00:00,000'], ['00:00:75,000']])(
    'of the time %s are refused with its line',
    (time) => expect(track(`${FIRST}\n2\n${time} --> 00:01:59,000\n二\n`)).toMatch(/第 6 行的时间无法识别/),
  );

  it.each<[string, string, string[], RegExp[]]>([
    ['a ratio', '1:2 → 3:6', ['1:2 → 3:6'], [/第 3 行像是时间/]],
    ['a ratio behind text', '也就是\n1:2 -> 3:6', ['也就是/1:2 -> 3:6'], [/第 4 行像是时间/]],
    ['a ratio with the arrow of the formats', '也就是\n1:2 --> 3:6', ['也就是/1:2 --> 3:6'], [/第 4 行像是时间/]],
    ['times of day', '9:00 → 11:30\n上课', ['9:00 → 11:30/上课'], [/第 3 行像是时间/]],
    ['a time of day without an end', '课从\n8:00 →', ['课从/8:00 →'], [/第 4 行像是时间/]],
    ['a ratio that is no time', '3:75 → 4:80', ['3:75 → 4:80'], [/第 3 行像是时间/]],
    [
      'a ratio behind a number that is no heading',
      '答案是\n42\n1:2 → 3:6',
      ['答案是/42/1:2 → 3:6'],
      [/第 5 行像是时间/],
    ],
    ['an arrow behind a ratio', '1:2 → 很好', ['1:2 → 很好'], []],
    ['ratios of three', '3:4:5 = 6:8:10\n3:4:5 → 直角', ['3:4:5 = 6:8:10/3:4:5 → 直角'], []],
    ['an arrow far behind', `一\n\n${'字'.repeat(41)} --> 二`, [`一/${'字'.repeat(41)} --> 二`], []],
  ])('%s in a cue is text', (_, lines, shown, warnings) =>
    expect(read(`1\n00:00:01,000 --> 00:00:02,500\n${lines}\n`)).toEqual({
      shown,
      warnings: warnings.map((warning) => expect.stringMatching(warning)),
    }),
  );

  it.each<[string, string, string[], RegExp[]]>([
    ['behind an empty line', `${FIRST}\n0:03 → 0:04\n二`, ['极限', '二'], []],
    ['behind a number that counts on', `${FIRST}2\n0:03 -> 0:04\n二`, ['极限', '二'], []],
    ['first of all', '0:03 → 0:04\n二', ['二'], []],
    [
      'in a comment, as a part of it',
      'WEBVTT\n\nNOTE\n0:03 → 0:04\na --> b\n二\n\n00:05.000 --> 00:06.000\n三',
      ['三'],
      [],
    ],
    ['exact, anywhere', `${FIRST}00:00:03 --> 00:00:04\n二\n0:05.5 --> 0:06.5\n三`, ['极限', '二', '三'], []],
    ['of more than an hour in minutes', `${FIRST}\n75:00.000 --> 76:00.000\n二`, ['极限', '二'], []],
    ['with settings', `${FIRST}00:00:03,000 --> 00:00:04,000 X1:40 X2:600 Y1:20 Y2:50\n二`, ['极限', '二'], []],
    [
      'of a cue without text',
      `${FIRST}\n2\n00:03 --> 00:04\n\n3\n00:05 --> 00:06\n<b></b>\n`,
      ['极限'],
      [/第 6、9 行的时间下面没有文字/],
    ],
  ])('times %s', (_, file, shown, warnings) =>
    expect(read(file)).toEqual({ shown, warnings: warnings.map((warning) => expect.stringMatching(warning)) }),
  );

  it.each([
    ['00:00:03,000 => 00:00:04,000'],
    ['00:00:03,000 -- 00:00:04,000'],
    ['00:00:03 00:00:04'],
    ['0:00:03.000,0:00:04.000'],
    ['0:03.5 | 0:04.5'],
    ['00:00:03,000 → 00:00:04,000'],
    ['00:00:03,000 → 00:00:04,000 二'],
    ['00:75:00 --> 00:76:00'],
    ['00:00:03,000 --> 四'],
    ['3.0 --> 4.0'],
    ['00:03.000 --> 00:04.000 Teacher: hello'],
    ['00:03.000 --> 00:04.000 Q:what'],
    ['00:03.000 --> 00:04.000 二'],
    [`00:03.000 --> 00:04.000 ${'line:0 '.repeat(30)}二`],
  ])('of the line %s in a cue are refused', (line) =>
    expect(track(`${FIRST}${line}\n二\n`)).toMatch(/^refused: 第 4 行的时间/),
  );

  it.each([['1:2 → 3:6'], ['3:75 → 4:80'], ['0:03 --> 0:04']])(
    'of the line %s are refused where it may be all that a cue says',
    (line) =>
      expect(track(`00:00:01,000 --> 00:00:02,500\n\n${line}\n\n00:00:03,000 --> 00:00:04,000\n二`)).toMatch(
        /第 3 行的时间/,
      ),
  );

  it.each<[string, string, string[], RegExp[]]>([
    [
      'a number after a note',
      'WEBVTT\n\n41\n00:01.000 --> 00:02.000\n一\n\nNOTE x\n\n00:03.000 --> 00:04.000\n答案是\n42\n00:05.000 --> 00:06.000\n三',
      ['一', '答案是/42', '三'],
      [],
    ],
    [
      'a heading after a note',
      'WEBVTT\n\n41\n00:01.000 --> 00:02.000\n一\n\nNOTE x\n\n42\n00:03.000 --> 00:04.000\n二\n43\n00:05.000 --> 00:06.000\n三',
      ['一', '二', '三'],
      [],
    ],
    [
      'a number alone after a note',
      'WEBVTT\n\n00:01.000 --> 00:02.000\n一\n\nNOTE x\n\n2024\n\n00:03.000 --> 00:04.000\n二',
      ['一', '二'],
      [/第 8 行不属于/],
    ],
    ['a number before the first cue', `2024\n\n${FIRST}`, ['极限'], [/第 1 行不属于/]],
    ['the first number, with an empty line behind it', FIRST.replace('1\n', '1\n\n'), ['极限'], []],
    ['the end of a lost paragraph', 'WEBVTT\n\n甲\n乙\n00:01.000 --> 00:02.000\n一', ['一'], [/第 3、4 行不属于/]],
    ['a name', 'WEBVTT\n\n甲\n00:01.000 --> 00:02.000\n一', ['一'], []],
    ['a line above the times in SubRip', '甲\n00:00:01,000 --> 00:00:02,000\n一', ['一'], [/第 1 行不属于/]],
    ['text under the first line', 'WEBVTT\n序\n\n00:01.000 --> 00:02.000\n一', ['一'], [/第 2 行不属于/]],
    ['styles under the first line', 'WEBVTT\nStyle:\n::cue(b) {}\n##\n\n00:01.000 --> 00:02.000\n一', ['一'], []],
    ['a note below an empty line', '\n\nWEBVTT\n\n00:01.000 --> 00:02.000\n一\n\nNOTE x\ny\n', ['一'], []],
    ['text behind a note', 'WEBVTT\n\n00:01.000 --> 00:02.000\n一\n\nNOTE x\n\n二\n', ['一'], [/第 8 行不属于/]],
    [
      'a note and styles between two cues',
      'WEBVTT\n\n00:01.000 --> 00:02.000\n一\n\nNOTE\nx\n\nSTYLE\n::cue {}\n\n00:03.000 --> 00:04.000\n二',
      ['一', '二'],
      [],
    ],
    ['NOTE in SubRip', `${FIRST}\nNOTE x\n`, ['极限/NOTE x'], []],
    ['NOTE in a cue', 'WEBVTT\n\n00:01.000 --> 00:02.000\n一\nNOTE x', ['一/NOTE x'], []],
    ['a number at the end', `${FIRST}\n2\n`, ['极限'], [/第 5 行不属于/]],
    ['a number at the end that does not count on', `${FIRST}\n42\n`, ['极限/42'], []],
    ['a number before a note', `WEBVTT\n\n${FIRST}\n2\n\nNOTE x\n`, ['极限'], [/第 7 行不属于/]],
    ['text alone in SubRip', '00:00:01,000 --> 00:00:02,000\n甲\n\n乙\n00:00:03,000 -->\n二', ['甲/乙', '二'], []],
    ['a number between empty lines', `${FIRST}\n42\n\n00:00:03,000 --> 00:00:04,000\n二`, ['极限/42', '二'], []],
    [
      'a number between empty lines that counts on',
      `${FIRST}\n2\n\n00:00:03,000 --> 00:00:04,000\n二`,
      ['极限', '二'],
      [],
    ],
    ['a number that counts too far', `${FIRST}3\n00:00:03,000 --> 00:00:04,000\n二`, ['极限/3', '二'], []],
    ['a cue that ends where it begins', '00:00:03,000 --> 00:00:03,000\n一', ['一'], [/第 1 行的结束时间/]],
  ])('%s', (_, file, shown, warnings) =>
    expect(read(file)).toEqual({ shown, warnings: warnings.map((warning) => expect.stringMatching(warning)) }),
  );

  it('that end before they begin are shown until one begins later', () =>
    expect(
      track(
        '00:00:03,000 --> 00:00:02,000\n一\n\n00:00:03,000 --> 00:00:01,000\n二\n\n00:00:05,000 --> 00:00:06,000\n三',
      ),
    ).toContain('00:00:03.000 --> 00:00:05.000\n一\n\n00:00:03.000 --> 00:00:05.000\n二\n'));

  it('lose no text behind an empty line and no number that is text', () => {
    const shown = '极限\n答案是\n42\n\n00:00:03.000 --> 00:00:04.000\n二\n';
    for (const next of ['\n2\n', '2\n'])
      expect(track(`${FIRST} \n答案是\n42\n${next}00:00:03,000 --> 00:00:04,000\n二\n`)).toContain(shown);
    expect(track('00:01.000 --> 00:02.000\n答案是\n42\n00:03.000 --> 00:04.000\n二')).toContain('答案是\n42\n');
  });

  it('say what belongs to no cue and what ends before it begins', () =>
    expect(readSubtitles(bytes('序\n\n00:03 --> 00:02\n一\n'))).toMatchObject({
      value: { warnings: [expect.stringContaining('第 1 行不属于'), expect.stringContaining('第 3 行的结束时间')] },
    }));

  it('of 10 MB made to keep their reader busy are read in a moment', () => {
    const began = performance.now();
    for (const piece of ['<', '<a ', '{\\', '0:', '-->', '00:01.000 --> 00:02.000 ', '&lt', '<b', '\n<a.'])
      track(piece.repeat(Math.floor((10 * 1024 * 1024) / piece.length)));
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

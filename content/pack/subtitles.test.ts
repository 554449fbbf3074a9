import { describe, expect, it } from 'vitest';
import { readSubtitles } from './subtitles.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const track = (text: string | Uint8Array) => {
  const read = readSubtitles(typeof text === 'string' ? bytes(text) : text);
  return read.ok ? read.value.track : `refused: ${read.why}`;
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

import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawWorkbook } from '#content/sheet/xlsx.test-kit.ts';
import { BUNDLED_UNIVERSITIES } from './bundled-universities.ts';
import { readUniversities } from './universities.ts';
import { normalName, readTel, readWeb, readYesNo } from './university-fields.ts';
import type { UniversityRow } from './university-row.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-universities-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
function file(bytes: string | Uint8Array, extension = 'csv'): string {
  files += 1;
  const path = join(folder, `list-${files}.${extension}`);
  writeFileSync(path, bytes);
  return path;
}
async function read(path: string) {
  const notes: string[] = [];
  const rows = await Array.fromAsync(readUniversities(path, notes));
  return { notes, good: rows.filter((row) => row.ok), bad: rows.filter((row) => !row.ok) };
}
const whys = ({ bad }: Awaited<ReturnType<typeof read>>) =>
  bad.map((row) => ({ row: row.row, why: row.ok ? [] : row.why }));

describe('the bundled list', () => {
  let all: UniversityRow[] = [];
  beforeAll(async () => {
    const { good, bad } = await read(BUNDLED_UNIVERSITIES);
    expect(bad).toEqual([]);
    all = good.flatMap((row) => (row.ok ? [row.university] : []));
  });
  const count = (has: (university: UniversityRow) => boolean) => all.filter(has).length;
  it('is the 147 of the second 双一流 round, with the published totals of 985 and 211', () => {
    expect(all).toHaveLength(147);
    expect(count((university) => university.isDfc === 1)).toBe(147);
    expect(count((university) => university.is985 === 1)).toBe(39);
    // 112 schools; 地质, 石油 and 矿业大学 are one each there and two rows here (content/universities/README.md).
    expect(count((university) => university.is211 === 1)).toBe(115);
    expect(count((university) => university.is985 === 1 && university.is211 !== 1)).toBe(0);
    expect(count((university) => university.prov === '北京')).toBe(34);
    expect(count((university) => university.affiliation === '教育部')).toBe(74);
  });
  it('says of every one its city, who runs it and where its site is', () => {
    for (const university of all) {
      expect(university.city, university.name).not.toBe('');
      expect(university.affiliation, university.name).not.toBe('');
      expect(university.relationship, university.name).not.toBe('');
      expect(university.officialWeb, university.name).toMatch(/^https:\/\/[a-z0-9.-]+\.cn$/);
      expect(university.schoolLocation, university.name).not.toBe('');
    }
  });

  it('gives no more telephones and texts than its README has sources for', () => {
    const filled = (key: 'tel' | 'subjectReview' | 'education' | 'keyInformationPoints' | 'laboratorySituation') =>
      all.filter((university) => university[key] !== '');
    for (const university of filled('tel'))
      expect(university.tel, university.name).toMatch(/^0\d{2,3}-\d{7,8}(?:、0\d{2,3}-\d{7,8})?(?:（研究生招生）)?$/);
    for (const university of filled('subjectReview'))
      expect(university.subjectReview, university.name).toMatch(/^第四轮学科评估.+2017年12月28日/);
    // The 强基计划 is the 39 schools of 985.
    expect(filled('education').map((university) => university.name)).toEqual(
      all.filter((university) => university.is985 === 1).map((university) => university.name),
    );
    expect(filled('tel')).toHaveLength(58);
    expect(filled('subjectReview')).toHaveLength(132);
    expect(filled('keyInformationPoints')).toHaveLength(17);
    expect(filled('laboratorySituation')).toHaveLength(0);
  });
});

describe('a school’s own list', () => {
  it('is read with Chinese headers, a title above, full-width letters and all the usual ways of saying yes', async () => {
    const path = file(
      '\ufeff某省高校名单,,,,,,\n院校名称（必填）,所在省份*,城市,９８５,211,双一流,官网,联系电话,简称,备注\n' +
        '  中国地质大学 (武汉) ,湖北省,武汉,否,√,1,www.cug.edu.cn,０２７－６７８８５１１４,"地大、CUG；地大",好\n' +
        '延边大学,吉林省,延边,0,是,TRUE,http://www.ybu.edu.cn/,,,\n',
    );
    const { good, bad, notes } = await read(path);
    expect(bad).toEqual([]);
    expect(notes).toEqual(['没有读取的列：备注']);
    expect(good).toEqual([
      {
        ok: true,
        row: 3,
        university: {
          name: '中国地质大学（武汉）',
          ...{ prov: '湖北', city: '武汉市', is985: 0, is211: 1, isDfc: 1, officialWeb: 'https://www.cug.edu.cn' },
          ...{ tel: '027-67885114', aliases: ['地大', 'CUG'] },
        },
      },
      {
        ok: true,
        row: 4,
        university: {
          ...{ name: '延边大学', prov: '吉林', city: '延边朝鲜族自治州', is985: 0, is211: 1, isDfc: 1 },
          ...{ officialWeb: 'http://www.ybu.edu.cn', tel: '', aliases: [] },
        },
      },
    ]);
  });

  it('is read in GB18030 as Excel writes it', async () => {
    // 名称,省份,城市 / 北京大学,北京市,
    const head = [0xc3, 0xfb, 0xb3, 0xc6, 0x2c, 0xca, 0xa1, 0xb7, 0xdd, 0x2c, 0xb3, 0xc7, 0xca, 0xd0, 0x0d, 0x0a];
    const row = [
      0xb1, 0xb1, 0xbe, 0xa9, 0xb4, 0xf3, 0xd1, 0xa7, 0x2c, 0xb1, 0xb1, 0xbe, 0xa9, 0xca, 0xd0, 0x2c, 0x0d, 0x0a,
    ];
    const gbk = Uint8Array.from([...head, ...row]);
    const { good } = await read(file(gbk));
    expect(good).toEqual([{ ok: true, row: 2, university: { name: '北京大学', prov: '北京', city: '北京市' } }]);
  });

  it('follows no link to a picture, nor a folder that is one', async () => {
    const own = mkdtempSync(join(folder, 'links-'));
    const outside = mkdtempSync(join(folder, 'outside-'));
    const dot = join(import.meta.dirname, '..', 'test', 'nasty', 'media', 'dot.png');
    for (const path of [join(own, 'own.png'), join(outside, 'dot.png')]) copyFileSync(dot, path);
    symlinkSync(join(outside, 'dot.png'), join(own, 'link.png'));
    symlinkSync(outside, join(own, 'away'));
    const row = (name: string, logo: string) => `${name},江苏,南京,${logo}\n`;
    const list = join(own, 'list.csv');
    writeFileSync(
      list,
      `名称,省份,城市,校徽\n${row('甲大学', 'own.png')}${row('乙大学', 'link.png')}${row('丙大学', 'away/dot.png')}`,
    );
    const { good, bad } = await read(list);
    expect(good).toMatchObject([{ row: 2 }]);
    expect(whys({ good, bad, notes: [] })).toEqual([
      { row: 3, why: ['校徽：“link.png”这是一个链接，请放入文件本身'] },
      { row: 4, why: ['校徽：“away/dot.png”不在名单所在的文件夹里'] },
    ]);
  });

  it('says of every bad row its number and every reason', async () => {
    const list = await read(
      file(
        '名称,省份,城市,985,官网,电话,校徽\n' +
          '甲大学,江苏,南京,1,,,\n' +
          ',江苏,南京,1,,,\n' +
          '乙大学,华东,南京,也许,javascript:alert(1),call me,\n' +
          '\n' +
          '甲 大学,江苏省,南京市,1,,,\n' +
          '丙大学,江苏,,0,ftp://a.cn,,\n' +
          '123,江苏,南京,0,,,\n' +
          '丁大学,江苏,南京,#N/A,,,\n' +
          `${'戊'.repeat(61)},江苏,南京,0,,,\n` +
          '己大学,江苏,南京,0,,,../../../etc/passwd\n' +
          '庚大学,江苏,南京,0,,,none.png\n',
      ),
    );
    expect(list.good).toHaveLength(1);
    expect(whys(list)).toEqual([
      { row: 3, why: ['没有写院校名称'] },
      {
        row: 4,
        why: [
          '不认识的省份“华东”，应为 34 个省级地区之一',
          '985：“也许”不是 是/否、1/0 或 √/×',
          '官网：“javascript:alert(1)”不是网址，应以 https:// 或 http:// 开头',
          '电话：“call me”不是电话号码',
        ],
      },
      { row: 6, why: ['与第 2 行的院校重复'] },
      { row: 7, why: ['没有写城市', '官网：“ftp://a.cn”不是网址，应以 https:// 或 http:// 开头'] },
      { row: 8, why: ['院校名称：“123”不是校名'] },
      { row: 9, why: ['985：是表格软件的错误值 #N/A'] },
      { row: 10, why: ['院校名称：太长（61 个字符），最多 60 个'] },
      { row: 11, why: ['校徽：“../../../etc/passwd”不在名单所在的文件夹里'] },
      { row: 12, why: ['校徽：“none.png”没有这个文件'] },
    ]);
  });

  it.each([
    ['', '文件是空的'],
    ['名称,985\n北京大学,1\n', '表头缺少列：省份（prov）、城市（city）'],
    ['名称,省份,城市,省\n', '表头里有两列都是“省份”'],
    ['没有表头,的文件\n1,2\n', '没有找到表头'],
    ['名称,省份,城市\n"北京,北京,', '引号没有配对'],
  ])('refuses the file %j', async (text, why) => {
    await expect(read(file(text))).rejects.toThrow(why);
  });
  it('refuses what is no list at all', async () => {
    await expect(read(join(folder, 'missing.csv'))).rejects.toThrow('打不开文件');
    await expect(read(file(Uint8Array.from([0x25, 0x50, 0x44, 0x46, 0x2d])))).rejects.toThrow('PDF');
    await expect(read(file(Uint8Array.from([0, 1, 2, 0xff, 0])))).rejects.toThrow();
  });
});

describe('cells', () => {
  it.each([
    ['北京大学', '北京大学'],
    [' 中国 地质大学( 武汉 ) ', '中国地质大学（武汉）'],
    ['ＭＩＴ  Ｍｅｄｉａ Lab', 'MIT Media Lab'],
  ])('name %j is %j', (text, name) => {
    expect(normalName(text)).toBe(name);
  });
  it.each([
    ['是', 1],
    ['√', 1],
    [' １ ', 1],
    ['Y', 1],
    ['', 0],
    ['×', 0],
    ['否', 0],
    ['2', null],
    ['大概', null],
  ])('yes or no %j is %j', (text, value) => {
    const read = readYesNo(text);
    expect(read.ok ? read.value : null).toBe(value);
  });
  it.each([
    ['www.pku.edu.cn', 'https://www.pku.edu.cn'],
    ['HTTPS://WWW.PKU.EDU.CN/', 'https://www.pku.edu.cn'],
    ['http://a.edu.cn/zh/index.html', 'http://a.edu.cn/zh/index.html'],
    ['a.edu.cn:8080', 'https://a.edu.cn:8080'],
    ['', ''],
    ['data:text/html,x', null],
    ['https://user:pw@a.cn', null],
    ['北京大学', null],
    ['a b.cn', null],
  ])('site %j is %j', (text, value) => {
    const read = readWeb(text);
    expect(read.ok ? read.value : null).toBe(value);
  });
  it.each([
    ['010-62751201', '010-62751201'],
    ['（010）62751201 转 8', '(010)62751201 转 8'],
    ['010－1234567、7654321', '010-1234567、7654321'],
    ['010-1234567 (招生办)、7654321（总机）', '010-1234567（招生办）、7654321（总机）'],
    ['（招生办）', null],
    ['010-1234567（先打这个，不通再打别的号码，周末没有人接）', null],
    ['', ''],
    ['暂无', null],
    ['12', null],
  ])('telephone %j is %j', (text, value) => {
    const read = readTel(text);
    expect(read.ok ? read.value : null).toBe(value);
  });
});

it('what lies under merged cells is refused, since nobody sees it', async () => {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const line = (...cells: string[]) => `<row>${cells.map(cell).join('')}</row>`;
  const rows =
    line('院校名称', '省份', '城市') +
    line('甲甲大学', '江苏', '南京') +
    line('乙乙大学', '江苏', '苏州') +
    line('丙丙大学', '浙江', '杭州');
  const found = await read(file(rawWorkbook(rows, '<mergeCells><mergeCell ref="B2:B4"/></mergeCells>'), 'xlsx'));
  expect(found.good.map((row) => row.ok && row.university.name)).toEqual(['甲甲大学', '乙乙大学']);
  expect(whys(found)).toEqual([{ row: 4, why: [expect.stringMatching(/^省份：有被合并的单元格盖住的内容“浙江”/)] }]);
});

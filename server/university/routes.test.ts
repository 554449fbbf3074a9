import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { loadUniversities } from '#server/import/universities.ts';
import { databases, testApp } from '#server/test-kit.ts';

describe.each(databases)('university calls on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  await loadUniversities(kit.db, kit.parts.files, () => undefined);
  kit.time.now += 1000;
  const suggest = async (name: string) => (await kit.ok('GET /app/university/suggest', { name })).list;
  const idOf = async (name: string) => (await kit.ok('GET /app/university/list', { name })).list[0]?.id ?? 0;

  it('list provinces in the usual order with their cities', async () => {
    const provinces = await kit.ok('GET /app/university/province_list', {});
    expect(provinces).toHaveLength(31);
    expect(provinces.map(({ prov }) => prov).slice(0, 3)).toEqual(['北京', '天津', '河北']);
    expect(provinces.find(({ prov }) => prov === '江苏')?.cityList).toEqual(['南京市', '苏州市', '无锡市', '徐州市']);
  });

  it.each([
    [{}, 147],
    [{ is985: 1 }, 39],
    [{ is211: 1 }, 115],
    [{ isDfc: 1 }, 147],
    [{ prov: '江苏' }, 16],
    [{ prov: '江苏', city: '南京市' }, 13],
    [{ prov: '江苏', is985: 1 }, 2],
    [{ name: '交通', is985: 1 }, 2],
    [{ name: 'bjdx' }, 1],
    [{ name: '不存在的学校' }, 0],
    [{ name: '中国石油大学北京' }, 1],
    [{ name: '(北京)' }, 3],
    [{ name: '（北京）' }, 3],
    [{ name: ' （北京) ' }, 3],
    [{ name: '(' }, 6],
    [{ name: '（华东' }, 1],
    [{ name: '#' }, 0],
    [{ name: '（）' }, 0],
    [{ name: '・' }, 0],
    [{ name: '%' }, 0],
    [{ name: '   ' }, 147],
    [{ name: '\u3000' }, 147],
    [{ name: "'; drop table universities; --" }, 0],
    [{ prov: '江苏省' }, 0],
  ])('list %j', async (input, total) => {
    const page = await kit.ok('GET /app/university/list', { ...input, pageSize: 200 });
    expect([page.total, page.list.length, page.hasMore]).toEqual([total, total, false]);
  });

  it('take an empty filter as none', async () => {
    const whole = await kit.raw('GET /app/university/list', {});
    const names = ['name', 'prov', 'city', 'is985', 'is211', 'isDfc', 'pageNum', 'pageSize'];
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(await kit.raw('GET /app/university/list', empty)).toEqual(whole);
    expect(whole.code).toBe(200);
  });

  it('page through the list', async () => {
    const pages = await Promise.all([1, 2, 7, 8].map((pageNum) => kit.ok('GET /app/university/list', { pageNum })));
    expect(pages.map((page) => [page.list.length, page.hasMore])).toEqual([
      [24, true],
      [24, true],
      [3, false],
      [0, false],
    ]);
    expect(pages[0]?.list[0]).toMatchObject({
      name: '北京大学',
      relationship: '教育部直属',
      is985: 1,
      tags: ['综合'],
      officialWeb: 'https://www.pku.edu.cn',
      tel: '010-62751407',
    });
  });

  it('suggest by name, short name, pinyin and initials, and say why', async () => {
    expect((await suggest('bjdx'))[0]).toMatchObject({
      name: '北京大学',
      match: { by: 'initials', text: '北京大学', from: 0, to: 4, reading: 'bei jing da xue' },
    });
    expect((await suggest('beida'))[0]).toMatchObject({ name: '北京大学', match: { by: 'pinyin', text: '北大' } });
    expect((await suggest('北航'))[0]).toMatchObject({
      name: '北京航空航天大学',
      match: { by: 'alias', text: '北航' },
    });
    expect((await suggest('buaa'))[0]).toMatchObject({
      name: '北京航空航天大学',
      match: { by: 'alias', text: 'BUAA' },
    });
    expect((await suggest('chongda'))[0]).toMatchObject({
      name: '重庆大学',
      match: { text: '重大', reading: 'chong da' },
    });
    expect((await suggest('xiamen'))[0]).toMatchObject({ name: '厦门大学', match: { by: 'pinyin' } });
    // One short name, several schools: all of them.
    expect(
      (await suggest('山大'))
        .slice(0, 2)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['山东大学', '山西大学']);
    expect(await suggest('大学')).toHaveLength(8);
    expect(await suggest('')).toEqual([]);
    expect(await suggest('  ')).toEqual([]);
    expect(await suggest('%')).toEqual([]);
    expect(await suggest('#')).toEqual([]);
    const inBrackets = await suggest('(北京)');
    expect(inBrackets.map(({ name }) => name).sort()).toEqual(
      ['中国地质大学（北京）', '中国矿业大学（北京）', '中国石油大学（北京）'].sort(),
    );
    for (const { match } of inBrackets) expect(match.text.slice(match.from, match.to)).toBe('（北京）');
  });

  it('give the whole of one university, and nothing invented', async () => {
    const id = await idOf('北京大学');
    const details = await kit.ok('GET /app/university/details', { id });
    expect(details).toMatchObject({
      id,
      officialWeb: 'https://www.pku.edu.cn',
      tel: '010-62751407',
      laboratorySituation: '',
    });
    expect(details.historicalContinuation).toContain('1898');
    expect(await kit.refused('GET /app/university/details', { id: 999_999 })).toBe('notFound');
  });

  it('show marks to visitors as harmless pictures, and no other file', async () => {
    const { list } = await kit.ok('GET /app/university/list', { pageSize: 200 });
    expect(list.every(({ logoUrl }) => logoUrl.startsWith('/files/'))).toBe(true);
    const mark = await kit.app.inject({ method: 'GET', url: list[0]?.logoUrl ?? '' });
    expect([mark.statusCode, mark.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(mark.headers['content-security-policy']).toContain("default-src 'none'");
    expect(mark.headers['cache-control']).toContain('public');
    // In Chinese as RFC 6266 has it, with a name for old clients.
    expect(mark.headers['content-disposition']).toMatch(
      /^inline; filename="\?+\.svg"; filename\*=UTF-8''%E[0-9A-F%]+\.svg$/,
    );
    const secret = await kit.parts.files.put(new TextEncoder().encode(randomUUID()), 'png');
    for (const url of [`/files/${secret}`, '/files/../lixue.db', '/files/%2e%2e%2flixue.db']) {
      const answer = await kit.app.inject({ method: 'GET', url });
      expect(answer.statusCode, url).toBe(404);
    }
  });

  it('keep a student’s target and comparison, each student’s own', async () => {
    const student = await kit.user();
    const other = await kit.user();
    const [peking, tsinghua, fudan, nanjing] = await Promise.all(
      ['北京大学', '清华大学', '复旦大学', '南京大学'].map(idOf),
    );
    if (!peking || !tsinghua || !fudan || !nanjing) throw new Error('not loaded');
    expect(await kit.ok('GET /app/university/goal', {}, { as: student })).toEqual({ target: null, compare: [] });
    await kit.ok('POST /app/university/goal', { universityId: peking }, { as: student });
    const compared = await kit.ok(
      'POST /app/university/compare',
      { universityIds: [fudan, peking, fudan, tsinghua] },
      { as: student },
    );
    expect(compared.target?.id).toBe(peking);
    expect(compared.compare.map(({ id }) => id)).toEqual([fudan, peking, tsinghua]);
    const four = { universityIds: [fudan, peking, tsinghua, nanjing] };
    expect(await kit.refused('POST /app/university/compare', four, { as: student })).toBe('compareFull');
    expect(await kit.refused('POST /app/university/compare', { universityIds: [999_999] }, { as: student })).toBe(
      'notFound',
    );
    expect(await kit.refused('POST /app/university/goal', { universityId: 999_999 }, { as: student })).toBe('notFound');
    const cleared = await kit.ok('POST /app/university/goal', { universityId: null }, { as: student });
    expect([cleared.target, cleared.compare.length]).toEqual([null, 3]);
    expect(await kit.ok('GET /app/university/goal', {}, { as: other })).toEqual({ target: null, compare: [] });
    for (const call of [
      'GET /app/university/goal',
      'POST /app/university/goal',
      'POST /app/university/compare',
    ] as const) {
      expect((await kit.raw(call, { universityId: peking, universityIds: [] })).code).toBe(401);
    }
    const evil = { as: student, headers: { 'sec-fetch-site': 'cross-site' } };
    expect(await kit.refused('POST /app/university/goal', { universityId: fudan }, evil)).toBe('crossSite');
  });

  it.each([
    ['GET /app/university/list', { pageNum: 0 }],
    ['GET /app/university/list', { pageNum: 'x' }],
    ['GET /app/university/list', { pageSize: 201 }],
    ['GET /app/university/list', { is985: 2 }],
    ['GET /app/university/list', { name: '长'.repeat(61) }],
    ['GET /app/university/suggest', {}],
    ['GET /app/university/suggest', { name: '长'.repeat(61) }],
    ['GET /app/university/details', { id: -1 }],
    ['GET /app/university/details', {}],
    ['POST /app/university/goal', {}],
    ['POST /app/university/goal', { universityId: '1e3' }],
    ['POST /app/university/compare', { universityIds: ['a'] }],
    ['POST /app/university/compare', { universityIds: Array.from({ length: 51 }, (_, at) => at + 1) }],
  ] as const)('%s refuses %j', async (name, input) => {
    const student = await kit.user();
    const answer = await kit.raw(name, input, { as: student });
    expect([answer.code, answer.status]).toEqual([400, 400]);
    expect(answer.msg).not.toBe('');
  });
});

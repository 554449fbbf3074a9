import { describe, expect, it } from 'vitest';
import { PROVINCES, readCity, readProvince } from './region.ts';

describe('province', () => {
  it('knows all 34, each by its own name', () => {
    expect(PROVINCES).toHaveLength(34);
    for (const province of PROVINCES) expect(readProvince(province)).toBe(province);
  });
  it.each([
    ['江苏省', '江苏'],
    ['北京市', '北京'],
    [' 广西 壮族自治区 ', '广西'],
    ['新疆维吾尔自治区', '新疆'],
    ['内蒙古自治区', '内蒙古'],
    ['香港特别行政区', '香港'],
    ['江蘇', null],
    ['华东', null],
    ['市', null],
    ['', null],
  ])('reads %j as %j', (text, province) => {
    expect(readProvince(text)).toBe(province);
  });
});

describe('city', () => {
  it.each([
    ['江苏', '南京', '南京市'],
    ['江苏', '南京市', '南京市'],
    ['北京', '海淀区', '北京市'],
    ['重庆', '', '重庆市'],
    ['吉林', '延边', '延边朝鲜族自治州'],
    ['吉林', '延边州', '延边朝鲜族自治州'],
    ['云南', '大理白族自治州', '大理白族自治州'],
    ['湖南', '株州', '株州市'],
    ['广东', '广州', '广州市'],
    ['香港', '九龙', '香港'],
    ['江苏', ' ', null],
  ] as const)('of %s: %j is %j', (prov, text, city) => {
    expect(readCity(prov, text)).toBe(city);
  });
});

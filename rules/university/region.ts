/** The provinces in the usual (administrative) order, by their short names (GB/T 2260). */
export const PROVINCES = [
  '北京',
  '天津',
  '河北',
  '山西',
  '内蒙古',
  '辽宁',
  '吉林',
  '黑龙江',
  '上海',
  '江苏',
  '浙江',
  '安徽',
  '福建',
  '江西',
  '山东',
  '河南',
  '湖北',
  '湖南',
  '广东',
  '广西',
  '海南',
  '重庆',
  '四川',
  '贵州',
  '云南',
  '西藏',
  '陕西',
  '甘肃',
  '青海',
  '宁夏',
  '新疆',
  '台湾',
  '香港',
  '澳门',
] as const;
type Province = (typeof PROVINCES)[number];

const MUNICIPALITIES: readonly string[] = ['北京', '天津', '上海', '重庆'];
const ENDINGS = /(?:壮族自治区|回族自治区|维吾尔自治区|特别行政区|自治区|省|市)$/;

/** Reads a province in any usual form (江苏省, 广西壮族自治区, 北京市) as its short name; null when it is none. */
export function readProvince(text: string): Province | null {
  const word = text.normalize('NFKC').replace(/\s+/g, '').replace(ENDINGS, '');
  return PROVINCES.find((province) => province === word) ?? null;
}

/** Prefectures that are no cities, by the word people write for them. */
const PREFECTURES: Readonly<Record<string, string>> = {
  兴安: '兴安盟',
  锡林郭勒: '锡林郭勒盟',
  阿拉善: '阿拉善盟',
  大兴安岭: '大兴安岭地区',
  延边: '延边朝鲜族自治州',
  恩施: '恩施土家族苗族自治州',
  湘西: '湘西土家族苗族自治州',
  阿坝: '阿坝藏族羌族自治州',
  甘孜: '甘孜藏族自治州',
  凉山: '凉山彝族自治州',
  黔西南: '黔西南布依族苗族自治州',
  黔东南: '黔东南苗族侗族自治州',
  黔南: '黔南布依族苗族自治州',
  楚雄: '楚雄彝族自治州',
  红河: '红河哈尼族彝族自治州',
  文山: '文山壮族苗族自治州',
  西双版纳: '西双版纳傣族自治州',
  大理: '大理白族自治州',
  德宏: '德宏傣族景颇族自治州',
  怒江: '怒江傈僳族自治州',
  迪庆: '迪庆藏族自治州',
  阿里: '阿里地区',
  临夏: '临夏回族自治州',
  甘南: '甘南藏族自治州',
  海北: '海北藏族自治州',
  黄南: '黄南藏族自治州',
  海南州: '海南藏族自治州',
  果洛: '果洛藏族自治州',
  玉树: '玉树藏族自治州',
  海西: '海西蒙古族藏族自治州',
  昌吉: '昌吉回族自治州',
  博尔塔拉: '博尔塔拉蒙古自治州',
  巴音郭楞: '巴音郭楞蒙古自治州',
  阿克苏: '阿克苏地区',
  克孜勒苏: '克孜勒苏柯尔克孜自治州',
  喀什: '喀什地区',
  和田: '和田地区',
  伊犁: '伊犁哈萨克自治州',
  塔城: '塔城地区',
  阿勒泰: '阿勒泰地区',
};

/**
 * Reads a city as it is written in full: 南京 as 南京市, 延边 or 延边州 as 延边朝鲜族自治州. A municipality is its own city, and
 * so is Hong Kong or Macao, whatever district was written.
 * @returns null when nothing was written and the province does not say it.
 */
export function readCity(prov: Province, text: string): string | null {
  if (MUNICIPALITIES.includes(prov)) return `${prov}市`;
  if (prov === '香港' || prov === '澳门') return prov;
  const word = text.normalize('NFKC').replace(/\s+/g, '');
  if (word === '') return null;
  const prefecture = PREFECTURES[word] ?? PREFECTURES[word.replace(/州$/, '')];
  if (prefecture) return prefecture;
  return /(?:市|州|盟|地区|县|区)$/.test(word) && word.length > 2 ? word : `${word}市`;
}

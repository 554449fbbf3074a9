import { readPhone } from './phone.ts';

/** 中国移动 · 中国联通 · 中国电信 · 中国广电 */
export type Operator = '移动' | '联通' | '电信' | '广电';

/**
 * Segments by operator, three digits or four where a segment is shared. Source: Ministry of Industry and Information
 * Technology, 我国公众移动通信网网号及H₀分配情况（截至2023年3月底）, published 2023-06-05. Those that operators without a
 * network resell (162, 165, 167, 170, 171) stand with the operator that holds them; satellite segments of others
 * (1619, 1741, 1749) are left out.
 */
const segments: Record<Operator, readonly string[]> = {
  移动: [
    '1340',
    '1341',
    '1342',
    '1343',
    '1344',
    '1345',
    '1346',
    '1347',
    '1348',
    '135',
    '136',
    '137',
    '138',
    '139',
    '147',
    '148',
    '150',
    '151',
    '152',
    '157',
    '158',
    '159',
    '165',
    '1703',
    '1705',
    '1706',
    '172',
    '178',
    '182',
    '183',
    '184',
    '187',
    '188',
    '195',
    '197',
    '198',
  ],
  联通: [
    '130',
    '131',
    '132',
    '145',
    '146',
    '155',
    '156',
    '166',
    '167',
    '1704',
    '1707',
    '1708',
    '1709',
    '171',
    '175',
    '176',
    '185',
    '186',
    '196',
  ],
  电信: [
    '133',
    '1349',
    '149',
    '153',
    '162',
    '1700',
    '1701',
    '1702',
    '173',
    '1740',
    '177',
    '180',
    '181',
    '189',
    '190',
    '191',
    '193',
    '199',
  ],
  广电: ['192'],
};

const bySegment = new Map(
  Object.entries(segments).flatMap(([operator, list]) =>
    list.map((segment) => [segment, operator as Operator] as const),
  ),
);

/**
 * The operator whose segment a number is in (product spec §5). Since numbers can be taken along to another operator
 * (携号转网), it is a hint for the person and nothing to decide by.
 * @returns null when the text is no mobile number or the segment is unknown
 */
export function operatorOf(typed: string): Operator | null {
  const read = readPhone(typed);
  if (!read.ok) return null;
  return bySegment.get(read.phone.slice(0, 4)) ?? bySegment.get(read.phone.slice(0, 3)) ?? null;
}

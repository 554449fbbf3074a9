import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { YamlFile, type YamlMap, type YamlText } from '#content/pack/checked-yaml.ts';
import type { Mistake } from '#content/pack/mistake.ts';
import { readPlainFile } from '#content/plain-file.ts';
import { checkMedia, LARGEST_MEDIA, type Media } from '#content/rich-text/media.ts';
import { chinaDay, DAY } from '#rules/clock/china-day.ts';
import { isPromotedLink } from '#rules/course/market.ts';

/** Something that the school draws attention to, checked. */
export interface CheckedPromotion {
  slug: string;
  title: string;
  words: string;
  /** '': it leads nowhere. */
  link: string;
  /** Pictures of the folder `media`, `media/name.webp`; '': none. */
  picture: string;
  phonePicture: string;
  alt: string;
  /** Epoch milliseconds; null: no bound. `until` is the first moment at which it is over. */
  from: number | null;
  until: number | null;
}

/** The front of a school that has passed every check. */
export interface CheckedStorefront {
  /** In the order in which they stand. */
  categories: { name: string; little: string[] }[];
  banners: CheckedPromotion[];
  ads: CheckedPromotion[];
  tips: CheckedPromotion[];
  media: Media[];
}

/** It is handed on in parts, since pictures are large. */
export type StorefrontPart = { mistakes: Mistake[] } | { front: Omit<CheckedStorefront, 'media'> } | { picture: Media };

const MAIN = 'storefront.yaml';
const LARGEST_MAIN = 256 * 1024;
/** Of each kind: more than anybody looks at. */
const MOST = { banners: 8, ads: 4, tips: 4 } as const;
const MOST_CATEGORIES = 60;
const isNoise = (name: string) => /^[.~]/.test(name) || name === 'Thumbs.db' || name === 'desktop.ini';

type At = (file: string) => Promise<void>;

/** What the texts of the folder are checked against. */
interface Pictures {
  /** null: there is one, with a mistake of its own. */
  known: ReadonlyMap<string, Media | null>;
  used: Set<string>;
}

/**
 * Reads and checks the folder of a school's front: banners, ads, tips, and the order of categories
 * (docs/guide/storefront.md). Nothing is stored.
 * @returns the front, or every mistake: never the first one alone
 */
export async function readStorefront(
  folder: string,
  at: At = async () => undefined,
): Promise<{ ok: true; front: CheckedStorefront } | { ok: false; mistakes: Mistake[] }> {
  const mistakes: Mistake[] = [];
  const complain = (file: string, reason: string) => mistakes.push({ file, line: 1, where: '', reason });
  const names = await readdir(folder).catch(() => null);
  if (names === null) return { ok: false, mistakes: [{ file: folder, line: 1, where: '', reason: '没有这个文件夹' }] };
  for (const name of names)
    if (!isNoise(name) && name !== MAIN && name !== 'media') complain(name, `不认识的名称，这里只能有 ${MAIN}、media`);
  const pictures: Pictures = { known: await readPictures(folder, names, { complain, at }), used: new Set() };
  await at(MAIN);
  const bytes = await readPlainFile(join(folder, MAIN), LARGEST_MAIN);
  if (!bytes.ok) complain(MAIN, bytes.why);
  const text = bytes.ok ? utf8(bytes.value) : null;
  if (bytes.ok && text === null) complain(MAIN, '文件不是 UTF-8 编码，请另存为 UTF-8');
  const root = text === null ? null : new YamlFile(MAIN, text, mistakes).root();
  const front = root ? readFront(root, pictures) : null;
  if (mistakes.length > 0 || !front) return { ok: false, mistakes };
  const media = [...pictures.used].flatMap((name) => pictures.known.get(name) ?? []);
  return { ok: true, front: { ...front, media } };
}

/** `readStorefront` in parts, for the process that reads apart. */
export async function* storefrontParts(folder: string, at: At): AsyncGenerator<StorefrontPart> {
  const read = await readStorefront(folder, at);
  if (!read.ok) {
    yield { mistakes: read.mistakes };
    return;
  }
  const { media, ...front } = read.front;
  yield { front };
  for (const picture of media) yield { picture };
}

/** Puts the parts together again. */
export async function joinStorefront(parts: AsyncIterable<StorefrontPart>): ReturnType<typeof readStorefront> {
  let front: Omit<CheckedStorefront, 'media'> | null = null;
  const media: Media[] = [];
  for await (const part of parts) {
    if ('mistakes' in part) return { ok: false, mistakes: part.mistakes };
    if ('front' in part) front = part.front;
    else media.push(part.picture);
  }
  if (!front) throw new Error('the storefront came without its texts');
  return { ok: true, front: { ...front, media } };
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function readPictures(
  folder: string,
  names: readonly string[],
  { complain, at }: { complain: (file: string, reason: string) => void; at: At },
): Promise<Map<string, Media | null>> {
  const known = new Map<string, Media | null>();
  if (!names.includes('media')) return known;
  const entries = await readdir(join(folder, 'media')).catch(() => null);
  if (entries === null) complain('media', '应当是文件夹，不是文件');
  for (const entry of (entries ?? []).filter((name) => !isNoise(name)).sort()) {
    const name = `media/${entry}`;
    await at(name);
    const bytes = await readPlainFile(join(folder, 'media', entry), LARGEST_MEDIA);
    const read = bytes.ok ? await checkMedia(entry, bytes.value) : bytes.why;
    known.set(name, typeof read === 'string' ? null : read);
    if (typeof read === 'string') complain(name, read);
  }
  return known;
}

function readFront(root: YamlMap, pictures: Pictures): Omit<CheckedStorefront, 'media'> {
  const format = root.required('format');
  if (format && format.text !== '1') format.complain(`不支持的格式版本“${format.text.slice(0, 20)}”，须为 1`);
  const slugs = new Set<string>();
  const promotions = (key: keyof typeof MOST) => {
    const maps = root.maps(key);
    if (maps.length > MOST[key]) root.complain(`最多 ${MOST[key]} 个`, key);
    return maps.map((map) => readPromotion(map, { key, slugs, pictures }));
  };
  const front = {
    categories: readCategories(root),
    banners: promotions('banners'),
    ads: promotions('ads'),
    tips: promotions('tips'),
  };
  root.done();
  return front;
}

function readCategories(root: YamlMap): CheckedStorefront['categories'] {
  const maps = root.maps('categories');
  if (maps.length > MOST_CATEGORIES) root.complain(`最多 ${MOST_CATEGORIES} 个`, 'categories');
  const seen = new Set<string>();
  return maps.map((map) => {
    const name = map.required('name', 20)?.text ?? '';
    if (seen.has(name)) map.complain(`分类“${name}”写了两次`, 'name');
    seen.add(name);
    const little = map.texts('little').map((text) => {
      if (text.text === '' || text.text.length > 20) text.complain('分类名为 1 到 20 个字符');
      return text.text;
    });
    if (new Set(little).size < little.length) map.complain('同一个分类写了两次', 'little');
    map.done();
    return { name, little };
  });
}

function readPromotion(
  map: YamlMap,
  { key, slugs, pictures }: { key: keyof typeof MOST; slugs: Set<string>; pictures: Pictures },
): CheckedPromotion {
  const slug = map.slug('slug');
  if (slug && slugs.has(slug)) map.complain(`${slug} 写了两次，slug 不能重复`, 'slug');
  slugs.add(slug);
  const link = map.optional('link', 500);
  if (link && !isPromotedLink(link.text)) link.complain('链接须以 / 开头（本站的页面）或以 https:// 开头');
  const shown = key === 'banners' ? map.required('picture', 200) : map.optional('picture', 200);
  const phone = map.optional('phonePicture', 200);
  if (phone && !shown) phone.complain('有 picture 才写 phonePicture');
  const alt = shown ? map.required('alt', 200) : map.optional('alt', 200);
  const [from, until] = [day(map.optional('from')), day(map.optional('until'))];
  if (from !== null && until !== null && until < from) map.complain('until 早于 from', 'until');
  const promotion = {
    slug,
    title: map.required('title', 60)?.text ?? '',
    words: map.optional('words', 200)?.text ?? '',
    link: link?.text ?? '',
    picture: picture(shown, pictures),
    phonePicture: picture(phone, pictures),
    alt: alt?.text ?? '',
    from,
    // The whole of its last day, in China.
    until: until === null ? null : until + DAY,
  };
  map.done();
  return promotion;
}

function day(text: YamlText | null): number | null {
  const at = text ? chinaDay(text.text) : null;
  if (text && at === null) text.complain(`“${text.text.slice(0, 20)}”不是日期，写法如 2026-12-19`);
  return at;
}

function picture(text: YamlText | null, { known, used }: Pictures): string {
  if (!text) return '';
  const name = text.text.replace(/^\.?\//, '');
  if (!known.has(name)) text.complain(`图片 ${name.slice(0, 80)} 不在 media 文件夹里，写法如 media/banner.webp`);
  used.add(name);
  return name;
}

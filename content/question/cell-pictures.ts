import { createHash } from 'node:crypto';
import type { Checked } from '#content/checked.ts';
import { escapeHtml } from '#content/rich-text/escape-html.ts';
import { LARGEST_MEDIA, type Media, pixelsOf } from '#content/rich-text/media.ts';
import { redrawn, sizeOf } from '#content/rich-text/picture.ts';
import type { Cell, SheetPicture } from '#content/sheet/sheet.ts';

/** A picture that a question shows, before it is stored. */
interface ReadPicture {
  /** The address that stands for it in the texts of questions until it is stored: `media/<hash of its bytes in the file>.png`. */
  name: string;
  width: number;
  height: number;
}

const ENDINGS: Readonly<Record<string, string>> = {
  emf: 'EMF',
  wmf: 'WMF',
  bmp: 'BMP',
  tif: 'TIFF',
  tiff: 'TIFF',
  svg: 'SVG',
};

/** Largest side of a picture in the text of a question (pixels): more says nothing to a page. */
const LARGEST_SIDE = 2000;

/**
 * The pictures of one spreadsheet: each is checked and written anew once (`redrawn`: the checks of every picture of a stranger),
 * however many cells show it, and handed on with the first question that does.
 */
export class CellPictures {
  readonly #read = new Map<string, Checked<ReadPicture>>();
  readonly #handed = new Set<string>();
  /** What the row that is being read has shown, to be handed on if it is good. */
  #fresh = new Map<string, Media>();

  /** Reads the pictures of a row, so that `htmlOf` knows them. */
  async prepare(cells: readonly (Cell | undefined)[]): Promise<void> {
    this.#fresh = new Map();
    for (const cell of cells)
      for (const picture of cell?.pictures ?? []) {
        const known = this.#read.get(keyOf(picture));
        if (known && (!known.ok || this.#handed.has(known.value.name) || this.#fresh.has(known.value.name))) continue;
        const read = await readPicture(picture);
        this.#read.set(keyOf(picture), read.ok ? { ok: true, value: read.value.shown } : read);
        if (read.ok && !this.#handed.has(read.value.shown.name))
          this.#fresh.set(read.value.shown.name, read.value.media);
      }
  }

  /** A picture as the texts of questions show it, or why it cannot be shown, in Chinese. */
  htmlOf(picture: SheetPicture): Checked<string> {
    const read = this.#read.get(keyOf(picture));
    if (!read) return { ok: false, why: '图片没有读取' };
    if (!read.ok) return read;
    const { name, width, height } = read.value;
    const html = `<img src="${name}" alt="${escapeHtml(picture.words.alt)}" width="${width}" height="${height}" />`;
    return { ok: true, value: html };
  }

  /** The pictures that no question before the one just read has handed on. It is called for good rows alone. */
  take(): Media[] {
    const media = [...this.#fresh.values()];
    for (const name of this.#fresh.keys()) this.#handed.add(name);
    return media;
  }
}

/** One picture may be shown in two sizes. What is said of it is said where it stands. */
const keyOf = ({ part, width, height }: SheetPicture) => `${part} ${width ?? ''} ${height ?? ''}`;

async function readPicture(picture: SheetPicture): Promise<Checked<{ shown: ReadPicture; media: Media }>> {
  const bytes = await picture.read(LARGEST_MEDIA);
  if (!bytes.ok) return bytes;
  const extension = pixelsOf(bytes.value);
  if (extension === null) {
    const ending = ENDINGS[/\.([a-z]+)$/i.exec(picture.part)?.[1]?.toLowerCase() ?? ''];
    return { ok: false, why: `${ending ? `${ending} ` : ''}图片显示不了，请转成 PNG 或 JPEG 再插入` };
  }
  const drawn = await redrawn(extension, bytes.value);
  if (!drawn.ok) return drawn;
  const name = `media/${createHash('sha256').update(bytes.value).digest('hex').slice(0, 40)}.${extension}`;
  const size = shownSize(await sizeOf(drawn.value), picture);
  return { ok: true, value: { shown: { name, ...size }, media: { name, extension, bytes: drawn.value } } };
}

/** As large as in the spreadsheet, where that is known, in the proportions of the picture. */
function shownSize(
  natural: { width: number; height: number },
  shown: { width: number | null; height: number | null },
): { width: number; height: number } {
  const wanted = shown.width === null || shown.height === null ? 1 : Math.min(1, shown.width / natural.width);
  const share = Math.min(wanted, LARGEST_SIDE / Math.max(natural.width, natural.height));
  return {
    width: Math.max(1, Math.round(natural.width * share)),
    height: Math.max(1, Math.round(natural.height * share)),
  };
}

import type { Checked } from '#content/checked.ts';
import type { Area } from './cell-area.ts';
import { unescaped } from './cell-text.ts';
import { LONGEST_WRITTEN, NO_WORDS, type PictureWords, pictureWords } from './picture-words.ts';
import { FileRefused, type SheetPicture } from './sheet.ts';
import { local, type XlsxParts } from './xlsx-package.ts';

/** No workbook that people made has more pictures and drawings. */
const MOST_DRAWN = 20_000;
/** Units of drawings (EMU) in a pixel of a screen. */
const UNITS = 9525;

/** Something that hangs over a sheet by its upper left corner: a picture, or why it cannot be read, in Chinese. */
export interface Hung {
  row: number;
  column: number;
  /** From the upper left corner of its cell (EMU). */
  down: number;
  right: number;
  /** How high it is (EMU); 0: nothing says so. */
  high: number;
  /** The last row that it covers. */
  last: number;
  picture: Checked<SheetPicture>;
}

const refused = (why: string) => ({ ok: false, why }) as const;
const NO_PICTURE = '这一行上有图形（文本框、图表、公式对象或组合），表格导入读不了，请截成图片插入，或改为文字';

/** What is said of one `pic` or drawing while it is read. */
interface Drawn {
  from: Corner;
  to: Corner;
  /** The picture's name in WPS's list. */
  id: string;
  embed: string;
  link: string;
  /** Shapes, charts, groups. */
  other: boolean;
  cropped: boolean;
  turned: boolean;
  altered: boolean;
  hidden: boolean;
  shown: boolean;
  words: PictureWords;
  /** It says nothing, its author says. */
  decorative: boolean;
  width: number | null;
  height: number | null;
}

/** A corner as it is written: a cell, and how far from its edges. */
type Corner = Record<'row' | 'col' | 'rowOff' | 'colOff', string>;
const noCorner = (): Corner => ({ row: '', col: '', rowOff: '', colOff: '' });

const nothing = (): Drawn => ({
  from: noCorner(),
  to: noCorner(),
  id: '',
  embed: '',
  link: '',
  other: false,
  cropped: false,
  turned: false,
  altered: false,
  hidden: false,
  shown: false,
  words: NO_WORDS,
  decorative: false,
  width: null,
  height: null,
});

/** Attributes by their names without a namespace. */
const plainNames = (attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [local(name), value]));

const isOn = (value: string | undefined) => value === '1' || value === 'true';
/** In the unit of drawings, a 60,000th of a degree. */
const WHOLE_TURN = 21_600_000;

/** Elements of a drawing that are no picture. */
const OTHERS = new Set(['sp', 'graphicFrame', 'grpSp', 'cxnSp', 'contentPart']);

/** Whether an element of a drawing shows its picture otherwise than it is kept. Some programs write those that change nothing. */
function alters(name: string, { amt, bright, contrast, prst }: Readonly<Record<string, string>>): boolean {
  switch (name) {
    case 'biLevel':
    case 'clrChange':
    case 'duotone':
    case 'grayscl':
      return true;
    case 'alphaModFix':
      return amt !== undefined && !/^100(?:000|%)$/.test(amt);
    case 'lum':
      return (Number(bright) || Number(contrast) || 0) !== 0;
    case 'prstGeom':
      return prst !== undefined && prst !== 'rect';
    default:
      return false;
  }
}

/** Reads each of these elements of a part (anchors of a sheet, pictures of WPS's list), as far as it says something of a picture. */
async function readDrawn(parts: XlsxParts, part: string, around: ReadonlySet<string>): Promise<Drawn[]> {
  const found: Drawn[] = [];
  let drawn: Drawn | null = null;
  let corner: Corner | null = null;
  let into: keyof Corner | null = null;
  await parts.read(part, {
    open: (name, written) => {
      if (around.has(name)) drawn = nothing();
      if (!drawn) return;
      const attributes = plainNames(written);
      if (name === 'from' || name === 'to') corner = drawn[name];
      else if (corner && isOfCorner(name)) into = name;
      // What Excel draws twice, once for old programs (equations and other objects), it hides here and shows all the same.
      else if (name === 'compatExt') drawn.shown = true;
      else if (name === 'cNvPr') {
        drawn.id ||= attributes.name ?? '';
        drawn.hidden ||= isOn(attributes.hidden);
        if (drawn.words.alt === '') drawn.words = pictureWords(attributes.descr, attributes.title);
      } else if (name === 'decorative') drawn.decorative ||= isOn(attributes.val);
      else if (name === 'blip') {
        drawn.embed ||= attributes.embed ?? '';
        drawn.link ||= attributes.link ?? '';
      } else if (name === 'srcRect')
        drawn.cropped ||= ['l', 't', 'r', 'b'].some((side) => Number(attributes[side] ?? 0) !== 0);
      else if (alters(name, attributes)) drawn.altered = true;
      else if (name === 'xfrm') {
        drawn.turned ||=
          Number(attributes.rot ?? 0) % WHOLE_TURN !== 0 || isOn(attributes.flipH) || isOn(attributes.flipV);
      } else if (name === 'ext' && Number(attributes.cx) > 0 && Number(attributes.cy) > 0) {
        // Of the anchor itself, or of the picture in it.
        drawn.width ??= Math.round(Number(attributes.cx) / UNITS);
        drawn.height ??= Math.round(Number(attributes.cy) / UNITS);
      } else if (OTHERS.has(name)) drawn.other = true;
    },
    text: (piece) => {
      if (corner && into !== null && corner[into].length < 10) corner[into] += piece;
    },
    close: (name) => {
      if (name === 'from' || name === 'to') corner = null;
      if (name === into) into = null;
      if (!drawn || !around.has(name)) return;
      if (!drawn.hidden || drawn.shown) found.push(drawn);
      if (found.length > MOST_DRAWN) throw new FileRefused(`图片和图形太多，最多 ${MOST_DRAWN} 个，请拆成几个文件`);
      drawn = null;
    },
  });
  return found;
}

type Relations = Awaited<ReturnType<XlsxParts['relations']>>;

/** The picture that a relation leads to, as it is shown. */
function pictureOf(parts: XlsxParts, relations: Relations, drawn: Drawn): Checked<SheetPicture> {
  if (drawn.other || (drawn.embed === '' && drawn.link === '')) return refused(NO_PICTURE);
  const relation = relations.get(drawn.embed);
  if (!relation || relation.external) return refused('图片是链接到文件外的，不会去取，请把图片本身插入表格');
  if (drawn.cropped)
    return refused(
      '图片在表格里被裁剪过，裁掉的部分还在文件里，请裁好后另存为图片再插入（或用“压缩图片”删除裁剪部分）',
    );
  if (drawn.turned)
    return refused(
      '图片在表格里被旋转或翻转过（手机竖着拍的照片，插入时常会自动旋转），请转好后另存为图片，或截图，再插入',
    );
  const words = drawn.decorative ? NO_WORDS : drawn.words;
  return {
    ok: true,
    value: { ...picture(parts, relation.target, { ...drawn, words }), ...(drawn.altered && { altered: true }) },
  };
}

const picture = (
  parts: XlsxParts,
  part: string,
  { width, height, words }: Pick<SheetPicture, 'width' | 'height' | 'words'>,
): SheetPicture => ({
  part,
  width,
  height,
  words,
  read: async (most) => {
    const bytes = await parts.bytes(part, most);
    if (bytes === 'long') {
      const size = parts.sizeOf(part) / 1_048_576;
      return refused(`图片有 ${size.toFixed(1)} MB，最多 ${most / 1_048_576} MB，请先压缩图片`);
    }
    return bytes === null ? refused('图片不在文件里，文件可能已损坏') : { ok: true, value: bytes };
  },
});

const isOfCorner = (name: string): name is keyof Corner => ['row', 'col', 'rowOff', 'colOff'].includes(name);

const ANCHORS = new Set(['twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor']);

/**
 * What hangs over a sheet. @param name of the sheet
 * @throws FileRefused where something hangs at its page and at no cell, as LibreOffice writes what is anchored there: nobody knows to which row it belongs
 */
export async function readDrawings(parts: XlsxParts, sheet: string, name: string): Promise<Hung[]> {
  const own = [...(await parts.relations(sheet)).values()].filter(({ external }) => !external);
  const ending = (name: string) => own.find(({ type }) => type.endsWith(name))?.target;
  const [drawing, old] = [ending('/drawing'), ending('/vmlDrawing')];
  const relations = drawing === undefined ? new Map() : await parts.relations(drawing);
  const drawings = drawing === undefined ? [] : await readDrawn(parts, drawing, ANCHORS);
  if (drawings.some(({ from }) => from.row === '' && from.col === ''))
    throw new FileRefused(
      `工作表“${name.slice(0, 40)}”里有固定在页面上的图片或图形，看不出属于哪一行：请把它固定到单元格（LibreOffice：右键，锚定，到单元格），或删去`,
    );
  return [
    ...drawings.map((drawn) => placed(drawn, pictureOf(parts, relations, drawn))),
    ...(old === undefined ? [] : await readOldObjects(parts, old)),
  ];
}

/** What of a picture lies over a cell, at least, that it belongs to that one and not to the one where its corner lies. */
const MOST_OF_IT = 0.75;

const numberOf = (text: string, most: number) => (/^\d{1,9}$/.test(text.trim()) ? Math.min(Number(text), most) : null);

/** The cell to which something belongs: that of its upper left corner, or the next one, where it only juts out of that a little. */
function placed({ from, to, width, height }: Drawn, picture: Checked<SheetPicture>): Hung {
  const edge = (name: 'row' | 'col', size: number | null, most: number) => {
    const off = `${name}Off` as const;
    const begins = numberOf(from[name], most) ?? 0;
    const inEnd = numberOf(to[off], Number.MAX_SAFE_INTEGER) ?? 0;
    const ends = numberOf(to[name], most) ?? begins;
    const juts = ends === begins + 1 && size !== null && inEnd > size * UNITS * MOST_OF_IT;
    const last = inEnd > 0 ? ends : ends - 1;
    return juts
      ? { at: ends, off: 0, last }
      : { at: begins, off: numberOf(from[off], Number.MAX_SAFE_INTEGER) ?? 0, last };
  };
  const row = edge('row', height, 9_999_999);
  const column = edge('col', width, 16_383);
  const high = (height ?? 0) * UNITS;
  return {
    row: row.at,
    down: row.off,
    last: Math.max(row.last, row.at),
    column: column.at,
    right: column.off,
    high,
    picture,
  };
}

/** Equations and other objects of other programs, as Excel 2007 and WPS write them alone: their place is in a drawing of an old kind. */
async function readOldObjects(parts: XlsxParts, part: string): Promise<Hung[]> {
  const found: Hung[] = [];
  let isObject = false;
  let anchor: string | null = null;
  await parts.read(part, {
    open: (name, attributes) => {
      if (name === 'ClientData') isObject = attributes.ObjectType === 'Pict';
      else if (name === 'Anchor' && isObject) anchor = '';
    },
    text: (piece) => {
      if (anchor !== null && anchor.length < 200) anchor += piece;
    },
    close: (name) => {
      if (name !== 'Anchor' || anchor === null) return;
      const [column = 0, , row = 0] = anchor.split(',').map((number) => numberOf(number, 9_999_999) ?? 0);
      anchor = null;
      if (found.length < MOST_DRAWN)
        found.push({
          row,
          column: Math.min(column, 16_383),
          down: 0,
          right: 0,
          high: 0,
          last: row,
          picture: refused(NO_PICTURE),
        });
    },
  });
  return found;
}

/** What hangs over a sheet by its row; over merged cells it hangs at their first. */
export function hungAt(drawings: readonly Hung[], merged: readonly Area[]): Map<number, Hung[]> {
  const sorted = drawings
    .map((hung) => ({ ...hung, cell: { row: hung.row, column: hung.column, bottom: hung.row }, placed: false }))
    .sort((a, b) => a.row - b.row);
  const firstFrom = (row: number) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.row ?? 0) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  if (sorted.length > 0)
    for (const { top, left, bottom, right } of merged)
      for (let at = firstFrom(top); at < sorted.length; at += 1) {
        const hung = sorted[at];
        if (!hung || hung.row > bottom) break;
        if (!hung.placed && hung.column >= left && hung.column <= right) {
          hung.placed = true;
          hung.cell = { row: top, column: left, bottom };
        }
      }
  const byRow = new Map<number, Hung[]>();
  for (const { cell, picture, last, ...hung } of inReadingOrder(sorted)) {
    const own = byRow.get(cell.row) ?? [];
    byRow.set(cell.row, own);
    const shown: typeof picture =
      picture.ok && last > cell.bottom ? { ok: true, value: { ...picture.value, reaches: last + 1 } } : picture;
    own.push({ ...hung, last, row: cell.row, column: cell.column, picture: shown });
  }
  return byRow;
}

/** Line by line from the left, as somebody reads them: the file has them in the order in which they were put there. */
function inReadingOrder<H extends Hung>(drawings: readonly H[]): H[] {
  const byTop = [...drawings].sort((a, b) => a.row - b.row || a.down - b.down);
  const lines: H[][] = [];
  for (const hung of byTop) {
    const first = lines.at(-1)?.[0];
    if (first?.row === hung.row && hung.down < first.down + first.high / 2) lines.at(-1)?.push(hung);
    else lines.push([hung]);
  }
  return lines.flatMap((line) => line.sort((a, b) => a.column - b.column || a.right - b.right));
}

/** The pictures that stand in cells: those of WPS by their id (`DISPIMG`), those of Excel by the number of their value. */
export class CellPictures {
  readonly #byId = new Map<string, Checked<SheetPicture>>();
  readonly #byValue: (Checked<SheetPicture> | undefined)[] = [];

  ofId(id: string): Checked<SheetPicture> {
    return this.#byId.get(id) ?? refused('单元格里的图片（DISPIMG）不在文件里，请重新插入图片');
  }

  /** @param at from 1; undefined: what stands there is no picture */
  ofValue(at: number): Checked<SheetPicture> | undefined {
    return this.#byValue[at - 1];
  }

  /** @param main the workbook's own part */
  static async read(parts: XlsxParts, main: string): Promise<CellPictures> {
    const pictures = new CellPictures();
    const relations = [...(await parts.relations(main)).values()].filter(({ external }) => !external);
    const part = (ending: string) => relations.find(({ type }) => type.toLowerCase().endsWith(ending))?.target;
    const list = part('/cellimage') ?? part('/cellimages');
    if (list !== undefined) {
      const links = await parts.relations(list);
      for (const drawn of await readDrawn(parts, list, new Set(['cellImage'])))
        pictures.#byId.set(drawn.id, pictureOf(parts, links, drawn));
    }
    const metadata = part('/sheetmetadata');
    const values = part('/rdrichvalue');
    const structures = part('/rdrichvaluestructure');
    const links = part('/richvaluerel');
    if (metadata && values && structures && links) {
      const shown = await readRichPictures(parts, { values, structures, links });
      for (const value of await readValueNumbers(parts, metadata))
        pictures.#byValue.push(value === null ? undefined : shown[value]);
    }
    return pictures;
  }
}

/** For each value of a kind of its own that cells name (`vm`): the number of its rich value, null: it has none. */
async function readValueNumbers(parts: XlsxParts, metadata: string): Promise<(number | null)[]> {
  const types: string[] = [];
  const future: number[] = [];
  const numbers: (number | null)[] = [];
  let inFuture = false;
  let inValues = false;
  await parts.read(metadata, {
    open: (name, written) => {
      const attributes = plainNames(written);
      if (name === 'metadataType') types.push(attributes.name ?? '');
      else if (name === 'futureMetadata') inFuture = attributes.name === 'XLRICHVALUE';
      else if (name === 'valueMetadata') inValues = true;
      else if (name === 'rvb' && inFuture && future.length < MOST_DRAWN) future.push(Number(attributes.i));
      else if (name === 'rc' && inValues && numbers.length < MOST_DRAWN)
        numbers.push(types[Number(attributes.t) - 1] === 'XLRICHVALUE' ? (future[Number(attributes.v)] ?? null) : null);
    },
    close: (name) => {
      if (name === 'futureMetadata') inFuture = false;
      if (name === 'valueMetadata') inValues = false;
    },
  });
  return numbers;
}

/** Where a picture in a cell comes from ([MS-XLSX], CalcOrigin): somebody put it there, and it says nothing. */
const DECORATIVE = '6';

/** The rich values of a workbook that are pictures; undefined: another kind. */
async function readRichPictures(
  parts: XlsxParts,
  names: { values: string; structures: string; links: string },
): Promise<(Checked<SheetPicture> | undefined)[]> {
  const structures: { type: string; keys: string[] }[] = [];
  await parts.read(names.structures, {
    open: (name, attributes) => {
      if (name === 's' && structures.length < 1000) structures.push({ type: attributes.t ?? '', keys: [] });
      else if (name === 'k') structures.at(-1)?.keys.push(attributes.n ?? '');
    },
  });
  const ids: string[] = [];
  await parts.read(names.links, {
    open: (name, attributes) => {
      if (name === 'rel' && ids.length < MOST_DRAWN) ids.push(plainNames(attributes).id ?? '');
    },
  });
  const relations = await parts.relations(names.links);
  const values: { structure: number; fields: string[] }[] = [];
  let inValue = false;
  await parts.read(names.values, {
    open: (name, attributes) => {
      if (name === 'rv' && values.length < MOST_DRAWN) values.push({ structure: Number(attributes.s), fields: [] });
      else if (name === 'v') {
        inValue = true;
        values.at(-1)?.fields.push('');
      }
    },
    text: (piece) => {
      const fields = values.at(-1)?.fields;
      const held = fields?.at(-1)?.length ?? 0;
      if (inValue && fields && held < LONGEST_WRITTEN) fields[fields.length - 1] += piece.slice(0, LONGEST_WRITTEN);
    },
    close: (name) => {
      if (name === 'v') inValue = false;
    },
  });
  return values.map(({ structure, fields }) => {
    const { type, keys } = structures[structure] ?? { type: '', keys: [] };
    if (type === '_webimage')
      return refused('单元格里是取自网址的图片（IMAGE），不会从别的网站取图片，请把图片本身放进单元格');
    if (type !== '_localImage') return undefined;
    const field = (key: string) => fields[keys.indexOf(key)];
    const relation = relations.get(ids[Number(field('_rvRel:LocalImageIdentifier') ?? -1)] ?? '');
    if (!relation || relation.external) return refused('单元格里的图片不在文件里，请重新插入图片');
    const words = field('CalcOrigin') === DECORATIVE ? NO_WORDS : pictureWords(unescaped(field('Text') ?? ''));
    return { ok: true, value: picture(parts, relation.target, { width: null, height: null, words }) };
  });
}

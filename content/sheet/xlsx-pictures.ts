import type { Checked } from '#content/checked.ts';
import type { SheetPicture } from './sheet.ts';
import { local, type XlsxParts } from './xlsx-package.ts';

/** No workbook that people made has more pictures and drawings. */
const MOST_DRAWN = 20_000;
/** Units of drawings (EMU) in a pixel of a screen. */
const UNITS = 9525;

/** A rectangle of cells, from 0, both edges counted in. */
export interface Area {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** Something that hangs over a sheet by its upper left corner: a picture, or why it cannot be read, in Chinese. */
export interface Hung {
  row: number;
  column: number;
  picture: Checked<SheetPicture>;
}

const refused = (why: string) => ({ ok: false, why }) as const;
const NO_PICTURE = '这一行上有图形（文本框、图表、公式对象或组合），表格导入读不了，请截成图片插入，或改为文字';

/** What is said of one `pic` or drawing while it is read. */
interface Drawn {
  row: string;
  column: string;
  /** The picture's name in WPS's list. */
  id: string;
  embed: string;
  link: string;
  /** Shapes, charts, groups. */
  other: boolean;
  cropped: boolean;
  turned: boolean;
  hidden: boolean;
  width: number | null;
  height: number | null;
}

const nothing = (): Drawn => ({
  row: '',
  column: '',
  id: '',
  embed: '',
  link: '',
  other: false,
  cropped: false,
  turned: false,
  hidden: false,
  width: null,
  height: null,
});

/** Attributes by their names without a namespace. */
const plainNames = (attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [local(name), value]));

/** Elements of a drawing that are no picture. */
const OTHERS = new Set(['sp', 'graphicFrame', 'grpSp', 'cxnSp', 'contentPart']);

/** Reads each of these elements of a part (anchors of a sheet, pictures of WPS's list), as far as it says something of a picture. */
async function readDrawn(parts: XlsxParts, part: string, around: ReadonlySet<string>): Promise<Drawn[]> {
  const found: Drawn[] = [];
  let drawn: Drawn | null = null;
  let inFrom = false;
  let into: 'row' | 'column' | null = null;
  await parts.read(part, {
    open: (name, written) => {
      if (around.has(name)) drawn = nothing();
      if (!drawn) return;
      const attributes = plainNames(written);
      if (name === 'from') inFrom = true;
      else if (inFrom && (name === 'row' || name === 'col')) into = name === 'row' ? 'row' : 'column';
      else if (name === 'cNvPr') {
        drawn.id ||= attributes.name ?? '';
        drawn.hidden ||= attributes.hidden === '1' || attributes.hidden === 'true';
      } else if (name === 'blip') {
        drawn.embed ||= attributes.embed ?? '';
        drawn.link ||= attributes.link ?? '';
      } else if (name === 'srcRect')
        drawn.cropped ||= ['l', 't', 'r', 'b'].some((side) => Number(attributes[side] ?? 0) !== 0);
      else if (name === 'xfrm') {
        drawn.turned ||= Number(attributes.rot ?? 0) !== 0 || attributes.flipH === '1' || attributes.flipV === '1';
      } else if (name === 'ext' && Number(attributes.cx) > 0 && Number(attributes.cy) > 0) {
        // Of the anchor itself, or of the picture in it.
        drawn.width ??= Math.round(Number(attributes.cx) / UNITS);
        drawn.height ??= Math.round(Number(attributes.cy) / UNITS);
      } else if (OTHERS.has(name)) drawn.other = true;
    },
    text: (piece) => {
      if (drawn && into !== null && drawn[into].length < 10) drawn[into] += piece;
    },
    close: (name) => {
      if (name === 'from') inFrom = false;
      if (name === 'row' || name === 'col') into = null;
      if (!drawn || !around.has(name)) return;
      if (found.length < MOST_DRAWN && !drawn.hidden) found.push(drawn);
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
  if (drawn.turned) return refused('图片在表格里被旋转或翻转过，请转好后另存为图片再插入');
  return { ok: true, value: picture(parts, relation.target, drawn) };
}

const picture = (
  parts: XlsxParts,
  part: string,
  { width, height }: { width: number | null; height: number | null },
): SheetPicture => ({
  part,
  width,
  height,
  read: async (most) => {
    const bytes = await parts.bytes(part, most);
    if (bytes === 'long') {
      const size = (parts.entries.get(part)?.uncompressedSize ?? 0) / 1_048_576;
      return refused(`图片有 ${size.toFixed(1)} MB，最多 ${most / 1_048_576} MB，请先压缩图片`);
    }
    return bytes === null ? refused('图片不在文件里，文件可能已损坏') : { ok: true, value: bytes };
  },
});

const ANCHORS = new Set(['twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor']);

/** What hangs over a sheet. What hangs at no cell counts as hanging at the first. */
export async function readDrawings(parts: XlsxParts, sheet: string): Promise<Hung[]> {
  const drawing = [...(await parts.relations(sheet)).values()].find(
    ({ type, external }) => type.endsWith('/drawing') && !external,
  )?.target;
  if (drawing === undefined) return [];
  const relations = await parts.relations(drawing);
  return (await readDrawn(parts, drawing, ANCHORS)).map((drawn) => ({
    row: /^\d{1,7}$/.test(drawn.row.trim()) ? Number(drawn.row) : 0,
    column: /^\d{1,5}$/.test(drawn.column.trim()) ? Math.min(Number(drawn.column), 16_383) : 0,
    picture: pictureOf(parts, relations, drawn),
  }));
}

/** What hangs over a sheet by its row; over merged cells it hangs at their first. */
export function hungAt(drawings: readonly Hung[], merged: readonly Area[]): Map<number, Hung[]> {
  const sorted = drawings.map((hung) => ({ ...hung, placed: false })).sort((a, b) => a.row - b.row);
  const firstFrom = (row: number) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.row ?? 0) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const moved: { at: number; row: number; column: number }[] = [];
  if (sorted.length > 0)
    for (const { top, left, bottom, right } of merged)
      for (let at = firstFrom(top); at < sorted.length; at += 1) {
        const hung = sorted[at];
        if (!hung || hung.row > bottom) break;
        if (!hung.placed && hung.column >= left && hung.column <= right) {
          hung.placed = true;
          moved.push({ at, row: top, column: left });
        }
      }
  for (const { at, row, column } of moved) Object.assign(sorted[at] ?? {}, { row, column });
  const byRow = new Map<number, Hung[]>();
  for (const { row, column, picture } of sorted) byRow.set(row, [...(byRow.get(row) ?? []), { row, column, picture }]);
  return byRow;
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
      if (inValue && fields) fields[fields.length - 1] += piece.slice(0, 1000);
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
    const at = keys.indexOf('_rvRel:LocalImageIdentifier');
    const relation = relations.get(ids[Number(fields[at] ?? -1)] ?? '');
    if (!relation || relation.external) return refused('单元格里的图片不在文件里，请重新插入图片');
    return { ok: true, value: picture(parts, relation.target, { width: null, height: null }) };
  });
}

import { CHARSET_OF_SIGNS } from '#content/symbol-font.ts';
import { Conditional } from './conditional-look.ts';
import { type CellLook, colourOf, formatOf, isDouble, isWhite, PLAIN_LOOK } from './runs.ts';
import { FileRefused, type Format } from './sheet.ts';
import type { XlsxParts } from './xlsx-package.ts';

/** The part with the styles, unpacked (bytes). */
const MOST_STYLE_BYTES = 50_000_000;
/** Cell styles; Excel has 65,490 at most. */
const MOST_STYLES = 100_000;
/** Of the text of a number format, what is read (characters); Excel has 255 at most. */
const LONGEST_FORMAT = 1000;

/** What a cell style says of its text: number format (its number, and its text where the file defines one) and how it looks. */
interface Style {
  formatId: number;
  code: string | undefined;
  look: CellLook;
  /** Its text is shown again and again, as often as its cell has room for it. */
  repeated: boolean;
}

/** What the file says of how cells look, each by its number. */
export interface Styles {
  cells: Style[];
  /** What conditional formats do. */
  conditional: Conditional[];
}

/** Reads the styles. */
export async function readStyles(parts: XlsxParts, part: string): Promise<Styles> {
  if (parts.sizeOf(part) > MOST_STYLE_BYTES) throw new FileRefused('单元格样式太多，请清除格式后另存');
  const codes = new Map<number, string>();
  const fonts: (Omit<CellLook, 'formats' | 'filled'> & { formats: Format[] })[] = [];
  const fills: { filled: boolean }[] = [];
  const styles: { formatId: number; font: number; fill: number; repeated: boolean }[] = [];
  const conditional: Conditional[] = [];
  let into = '';
  await parts.read(part, {
    open: (name, attributes) => {
      const { numFmtId = '0', formatCode = '', fontId = '0', fillId = '0', patternType = 'none', val } = attributes;
      if (name === 'cellXfs' || name === 'fonts' || name === 'fills' || name === 'dxfs') into = name;
      else if (into === 'dxfs') {
        if (name === 'dxf') conditional.push(new Conditional());
        else conditional.at(-1)?.read(name, attributes);
      } else if (name === 'numFmt') codes.set(Number(numFmtId), formatCode.slice(0, LONGEST_FORMAT));
      else if (name === 'xf' && into === 'cellXfs')
        styles.push({ formatId: Number(numFmtId), font: Number(fontId), fill: Number(fillId), repeated: false });
      else if (name === 'alignment' && into === 'cellXfs') {
        const style = styles.at(-1);
        if (style) style.repeated = attributes.horizontal === 'fill';
      } else if (name === 'font' && into === 'fonts')
        fonts.push({ formats: [], colour: '', name: '', ofSigns: false, size: 0, doubled: false });
      else if (into === 'fills') {
        if (name === 'fill') fills.push({ filled: false });
        const fill = fills.at(-1);
        if (!fill) return;
        if (name === 'gradientFill' || (name === 'patternFill' && patternType !== 'none')) fill.filled = true;
        // Painted white it looks like paper. What is mixed with white, or not said, is a colour.
        else if (name === 'fgColor' && isWhite(colourOf(attributes))) fill.filled = false;
      } else if (into === 'fonts') {
        const format = formatOf(name, val);
        const font = fonts.at(-1);
        if (font && name === 'color') font.colour = colourOf(attributes);
        else if (font && name === 'sz') font.size = Number(val) || 0;
        else if (font && name === 'name') font.name = (val ?? '').slice(0, LONGEST_FORMAT);
        else if (font && name === 'charset') font.ofSigns = val === CHARSET_OF_SIGNS;
        if (format && font && !font.formats.includes(format)) font.formats.push(format);
        if (font) font.doubled ||= isDouble(name, val);
      }
      if (
        styles.length > MOST_STYLES ||
        conditional.length > MOST_STYLES ||
        codes.size > MOST_STYLES ||
        fonts.length > MOST_STYLES ||
        fills.length > MOST_STYLES
      )
        throw new FileRefused(`单元格样式太多，最多 ${MOST_STYLES} 种，请清除格式后另存`);
    },
    close: (name) => {
      if (name === into) into = '';
    },
  });
  const cells = styles.map(({ formatId, font, fill, repeated }) => ({
    formatId,
    repeated,
    code: codes.get(formatId),
    look: { ...PLAIN_LOOK, ...fonts[font], ...fills[fill] },
  }));
  return { cells, conditional };
}

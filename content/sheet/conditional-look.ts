import { colourOf, formatOf, isWhite } from './runs.ts';

/** What a conditional format does to its cells while its condition holds. */
export class Conditional {
  /** In Chinese, what may show otherwise than it is written, or not at all. */
  readonly #changes = new Set<string>();
  /** It colours or stresses cells. */
  colours = false;

  /** Reads one element of it. */
  read(name: string, attributes: Readonly<Record<string, string>>): void {
    const format = formatOf(name, attributes.val);
    if (name === 'numFmt') this.#changes.add('数字格式');
    else if (format === 's') this.#changes.add('删除线');
    else if (name === 'color' && isWhite(colourOf(attributes))) this.#changes.add('白色的字');
    else if (format !== null || name === 'color' || name === 'patternFill' || name === 'gradientFill')
      this.colours = true;
  }

  /** A bar, signs or a scale of colours; the value beside them may be left out. */
  drawn({ showValue }: Readonly<Record<string, string>>): void {
    if (showValue === '0' || showValue === 'false') this.#changes.add('不显示数值');
    else this.colours = true;
  }

  add(other: Conditional | undefined): void {
    for (const change of other?.changes.split('、') ?? []) if (change !== '') this.#changes.add(change);
    this.colours ||= other?.colours ?? false;
  }

  get changes(): string {
    return [...this.#changes].join('、');
  }
}

/** How deep elements may stand in each other; drawing programs nest about ten groups. */
const DEEPEST = 100;
/** Elements that a browser draws, those counted again that are drawn by reference. A detailed map has some ten thousand. */
const MOST_DRAWN = 100_000;
/** References in one drawing; a long formula as a drawing has some thousand. */
const MOST_REFERENCES = 10_000;

/** A drawing costs a browser too much; the message is a sentence in Chinese. */
export class DrawingTooDear extends Error {}

interface Part {
  id: string | undefined;
  /** Elements in it, itself included. */
  own: number;
  /** Ids that it and what is in it refer to. */
  refers: string[];
}

/**
 * Counts what a browser has to draw: an element that is used by two that are used by two … is small as a file and keeps
 * a browser busy for ever. Told of every element while a drawing is read.
 */
export class DrawingCost {
  private readonly open: Part[] = [];
  private readonly named = new Map<string, Part>();
  private root: Part | null = null;
  private references = 0;

  /** @throws DrawingTooDear */
  begin(attributes: Readonly<Record<string, string>>): void {
    if (this.open.length >= DEEPEST) throw new DrawingTooDear(`SVG 图片的元素嵌套超过 ${DEEPEST} 层`);
    const refers = Object.entries(attributes).flatMap(([name, value]) => referredTo(name, value));
    this.references += refers.length;
    if (this.references > MOST_REFERENCES)
      throw new DrawingTooDear(`SVG 图片的内部引用太多，最多 ${MOST_REFERENCES} 处`);
    this.open.push({ id: attributes.id, own: 1, refers });
  }

  end(): void {
    const part = this.open.pop();
    if (!part) return;
    if (part.id !== undefined) this.named.set(part.id, part);
    const around = this.open.at(-1);
    if (!around) {
      this.root ??= part;
      return;
    }
    around.own += part.own;
    for (const id of part.refers) around.refers.push(id);
  }

  /** Looks at the whole, once it was read. @throws DrawingTooDear */
  check(): void {
    const known = new Map<Part, number>();
    const under = new Set<Part>();
    const drawn = (part: Part): number => {
      const before = known.get(part);
      if (before !== undefined) return before;
      // What refers to itself is never drawn by a browser, but who writes that wants something else than a drawing.
      if (under.has(part) || under.size > DEEPEST) return MOST_DRAWN + 1;
      under.add(part);
      let sum = part.own;
      for (const id of part.refers) {
        const used = this.named.get(id);
        if (used) sum += drawn(used);
        if (sum > MOST_DRAWN) break;
      }
      under.delete(part);
      known.set(part, sum);
      return sum;
    };
    if (this.root && drawn(this.root) > MOST_DRAWN)
      throw new DrawingTooDear(`SVG 图片太复杂，画出来超过 ${MOST_DRAWN} 个元素，或有循环引用`);
  }
}

/** The elements of the same drawing that an attribute refers to. */
function referredTo(name: string, value: string): string[] {
  if (/(?:^|:)href$/i.test(name)) return value.trim().startsWith('#') ? [value.trim().slice(1)] : [];
  return [...value.matchAll(/url\(\s*(?:["']\s*)?#([^"')\s]{1,200})/gi)].map(([, id = '']) => id);
}

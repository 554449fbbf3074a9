import { madeSmall } from '#content/rich-text/picture.ts';

/** A picture that stands in the HTML itself. */
export interface PictureInside {
  /** `data:…` */
  address: string;
  /** In pixels: its own width, and that of the whole picture. */
  width: number;
  whole: number;
}

/** Bytes of a picture in the HTML at most: as long on a slow line (1.6 Mbit/s) as a third of the wait for a request of its own. */
const MOST = 8 * 1024;
/** Pictures that are kept: those of one page, in each of its languages, and of what stood there before. */
const KEPT = 32;
/** Kinds that are made of points. */
const OF_POINTS = /\.(?:png|jpe?g|webp|gif)$/;

/**
 * The main pictures of drawn pages, small enough to come inside them: a picture that is asked for by itself is painted a request later than
 * the words beside it, and on a phone's line that is as long as all the rest. Each is made when a drawing first has it, beside the loop;
 * that drawing goes out without.
 */
export class FirstPictures {
  readonly #bytesOf: (address: string) => Promise<Uint8Array | null>;
  readonly #known = new Map<string, PictureInside | null | 'being made'>();

  /** @param bytesOf what everybody may see at an address of this site; null: nothing */
  constructor(bytesOf: (address: string) => Promise<Uint8Array | null>) {
    this.#bytesOf = bytesOf;
  }

  /**
   * Those of these addresses that are made.
   * @param onMade another one is, so that a page with it can be drawn anew
   */
  of(addresses: readonly string[], onMade: () => void): Map<string, PictureInside> {
    const made = new Map<string, PictureInside>();
    for (const address of addresses) {
      const known = this.#known.get(address);
      if (known === undefined) void this.#make(address, onMade);
      else if (known !== null && known !== 'being made') made.set(address, known);
    }
    return made;
  }

  async #make(address: string, onMade: () => void): Promise<void> {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= KEPT && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(address, 'being made');
    const small = OF_POINTS.test(address) ? await this.#small(address) : null;
    this.#known.set(address, small);
    if (small !== null) onMade();
  }

  async #small(address: string): Promise<PictureInside | null> {
    const bytes = await this.#bytesOf(address).catch(() => null);
    const small = bytes && (await madeSmall(bytes, MOST));
    if (small === null) return null;
    const { width, whole } = small;
    return { width, whole, address: `data:image/webp;base64,${Buffer.from(small.bytes).toString('base64')}` };
  }
}

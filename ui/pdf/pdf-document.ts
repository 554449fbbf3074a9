import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import './with-resolvers.ts';

/** Why a PDF is not shown: it wants a password, it is none or damaged, the server gives it to nobody here or has it no more, nothing came, or the browser does not know the library's language. */
export type PdfFailure = 'locked' | 'broken' | 'refused' | 'lost' | 'offline' | 'oldBrowser';

/** A PDF that could not be opened, or not be read on. */
export class PdfTrouble extends Error {
  readonly why: PdfFailure;
  constructor(why: PdfFailure) {
    super(why);
    this.why = why;
  }
}

/** Pixels of the page as it is printed: width and height at a zoom of 1. */
export interface PageSize {
  width: number;
  height: number;
}

/** A PDF that is open. */
export interface OpenPdf {
  pages: number;
  /** Of the first page; most others are like it. */
  first: PageSize;
  /**
   * Draws a page, and lays its text over it, so that it can be selected and searched.
   * @param page from 1
   * @returns the size of the page; it ends with an `AbortError` of the signal
   */
  draw(
    page: number,
    at: { canvas: HTMLCanvasElement; text: HTMLElement; zoom: number; signal: AbortSignal },
  ): Promise<PageSize>;
  close(): Promise<void>;
}

/** What is fetched at once, in bytes: pages that nobody opens are not fetched. */
const PIECE = 512 * 1024;
/** Pixels of one canvas: five of them stay far below what an iPhone gives a page. */
const MOST_PIXELS = 6_000_000;

function troubleOf(error: unknown): PdfTrouble {
  const { name, status } = error as { name?: string; status?: number };
  if (name === 'PasswordException') return new PdfTrouble('locked');
  if (name !== 'ResponseException')
    return new PdfTrouble(name === 'InvalidPDFException' || !isOfNetwork(error) ? 'broken' : 'offline');
  if (status === undefined || status < 400) return new PdfTrouble('offline');
  return new PdfTrouble(status < 500 ? 'refused' : 'lost');
}

/** The words of the browsers for a fetch that got no answer. */
const isOfNetwork = (error: unknown) => error instanceof Error && /fetch|network|load failed/i.test(error.message);

/**
 * Opens a PDF in parts as they are needed. The library comes with the first one (docs/decisions/037-course-files.md); fonts that the
 * file does not bring, tables of Chinese encodings and decoders of pictures come from this server. What a PDF wants to run is not run:
 * there is no sandbox for it here, and the library evaluates nothing.
 * @param onProgress is told which share of the first bytes has come, 0 to 1
 * @throws PdfTrouble
 */
export async function openPdf(
  url: string,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<OpenPdf> {
  const library = await import('pdfjs-dist/legacy/build/pdf.min.mjs').catch((error: unknown) => {
    throw new PdfTrouble(error instanceof SyntaxError ? 'oldBrowser' : 'offline');
  });
  signal.throwIfAborted();
  const thread = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
  const lost = new Promise<never>((_resolve, reject) => {
    thread.addEventListener('error', () => reject(new PdfTrouble('offline')), { once: true });
  });
  const worker = library.PDFWorker.create({ port: thread });
  const data = `/assets/pdfjs-${library.version}/`;
  const task = library.getDocument({
    url,
    worker,
    rangeChunkSize: PIECE,
    disableAutoFetch: true,
    disableStream: true,
    cMapUrl: `${data}cmaps/`,
    standardFontDataUrl: `${data}standard_fonts/`,
    wasmUrl: `${data}wasm/`,
    iccUrl: `${data}iccs/`,
    enableXfa: false,
    verbosity: library.VerbosityLevel.ERRORS,
  });
  task.onProgress = ({ loaded, total }: { loaded: number; total: number }) => {
    if (total > 0) onProgress(Math.min(1, loaded / total));
  };
  const end = () => task.destroy().finally(() => thread.terminate());
  signal.addEventListener('abort', end, { once: true });
  try {
    const pdf: PDFDocumentProxy = await Promise.race([task.promise, lost]);
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
    const draw: OpenPdf['draw'] = async (number, at) => {
      try {
        return await drawPage(library, await pdf.getPage(number), at);
      } catch (error) {
        at.signal.throwIfAborted();
        throw troubleOf(error);
      }
    };
    return { pages: pdf.numPages, first: { width, height }, draw, close: end };
  } catch (error) {
    signal.throwIfAborted();
    void end();
    throw error instanceof PdfTrouble ? error : troubleOf(error);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function drawPage(
  { TextLayer }: Pick<typeof import('pdfjs-dist'), 'TextLayer'>,
  page: PDFPageProxy,
  { canvas, text, zoom, signal }: Parameters<OpenPdf['draw']>[1],
): Promise<PageSize> {
  signal.throwIfAborted();
  const size = page.getViewport({ scale: 1 });
  const shown = page.getViewport({ scale: zoom });
  const wanted = Math.min(window.devicePixelRatio || 1, 2);
  const sharp = Math.min(wanted, Math.sqrt(MOST_PIXELS / (shown.width * shown.height)));
  const viewport = page.getViewport({ scale: zoom * sharp });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const drawing = page.render({ canvas, viewport });
  const words = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport: shown });
  const stop = () => {
    drawing.cancel();
    words.cancel();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    text.replaceChildren();
    await Promise.all([drawing.promise, words.render()]);
  } finally {
    signal.removeEventListener('abort', stop);
    page.cleanup();
  }
  return { width: size.width, height: size.height };
}

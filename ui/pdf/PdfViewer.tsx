import { Button, Modal } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronUp,
  IconDownload,
  IconFileAlert,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import '../dialog.css';
import { useRefocus } from '../focus.ts';
import icon from '../icon-button.module.css';
import { t } from '../words.ts';
import classes from './PdfViewer.module.css';
import { drawnAround, GAP, keyMeaning, nextZoom, pageAt, placesOf } from './page-places.ts';
import { type OpenPdf, openPdf, type PageSize, type PdfFailure, PdfTrouble } from './pdf-document.ts';

interface Props {
  url: string;
  name: string;
  /** What is said while it comes. */
  waiting: string;
  /** What saving it is called. */
  downWord: string;
  onDownload: () => void;
  onClose: () => void;
}

type State = { at: 'opening'; share: number } | { at: 'open'; pdf: OpenPdf } | { at: 'failed'; why: PdfFailure };

const said: Readonly<Record<PdfFailure, () => string>> = {
  locked: () => t('这份文件设了打开密码，不能在线预览，请下载后打开'),
  broken: () => t('这份文件已损坏或不是 PDF，不能在线预览'),
  refused: () => t('现在不能查看这份文件，请回到课程页面重新进入'),
  lost: () => t('文件暂时打不开，请稍后再试或联系老师'),
  oldBrowser: () => t('这个浏览器版本较旧，不能在线预览，请下载后打开'),
  offline: () => t('文件没有读出来，请检查网络后重试'),
};

/** A PDF over the whole page: read page by page, with zoom and keyboard; its text can be selected. */
export default function PdfViewer({ url, name, waiting, downWord, onDownload, onClose }: Props) {
  useRefocus();
  const [state, setState] = useState<State>({ at: 'opening', share: 0 });
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try opens it again
  useEffect(() => {
    const ending = new AbortController();
    let opened: OpenPdf | null = null;
    setState({ at: 'opening', share: 0 });
    openPdf(url, {
      signal: ending.signal,
      onProgress: (share) => setState((was) => (was.at === 'opening' ? { ...was, share } : was)),
    }).then(
      (pdf) => {
        if (ending.signal.aborted) void pdf.close();
        else {
          opened = pdf;
          setState({ at: 'open', pdf });
        }
      },
      (error: unknown) => {
        if (!ending.signal.aborted) setState({ at: 'failed', why: error instanceof PdfTrouble ? error.why : 'broken' });
      },
    );
    return () => {
      ending.abort();
      void opened?.close();
    };
  }, [url, tries]);
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      title={name}
      closeButtonProps={{ 'aria-label': t('关闭') }}
      classNames={{ body: classes.body ?? '', title: classes.title ?? '', content: classes.content ?? '' }}
    >
      {state.at === 'open' ? (
        <Pages
          pdf={state.pdf}
          name={name}
          downWord={downWord}
          onDownload={onDownload}
          onTrouble={(why) => setState({ at: 'failed', why })}
        />
      ) : (
        <div className={classes.message} role="status">
          {state.at === 'opening' ? (
            <p>{state.share > 0 && state.share < 1 ? `${waiting} ${Math.floor(state.share * 100)}%` : waiting}</p>
          ) : (
            <>
              <IconFileAlert size={32} stroke={1.5} aria-hidden />
              <p>{said[state.why]()}</p>
              <div className={classes.ways}>
                {(state.why === 'offline' || state.why === 'lost') && (
                  <Button variant="default" onClick={() => setTries(tries + 1)}>
                    {t('重试')}
                  </Button>
                )}
                {state.why !== 'refused' && state.why !== 'lost' && (
                  <Button variant="default" onClick={onDownload}>
                    {downWord}
                  </Button>
                )}
              </div>
            </>
          )}
        </div>
      )}
    </Modal>
  );
}

/** Beside a page, on both sides together, and the widest that a page is at a zoom of 1, in pixels. */
const MARGIN = 24;
const WIDEST = 1100;

function Pages({
  pdf,
  name,
  downWord,
  onDownload,
  onTrouble,
}: {
  pdf: OpenPdf;
  name: string;
  downWord: string;
  onDownload: () => void;
  onTrouble: (why: PdfFailure) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [factor, setFactor] = useState(1);
  const [current, setCurrent] = useState(1);
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map());
  const sizeOf = (page: number) => sizes.get(page) ?? pdf.first;
  const zoom = (Math.min(Math.max(width - MARGIN, 100), WIDEST) / pdf.first.width) * factor;
  const { tops, height } = placesOf(pdf.pages, sizeOf, zoom);
  const { first, last } = drawnAround(current, pdf.pages);
  /** Where the reader is, as page and share of it: kept when the zoom or the window changes. */
  const reading = useRef({ page: 1, share: 0 });
  /** The page that was gone to, and where that led: short last pages never reach the middle, and are the current one all the same. */
  const held = useRef({ page: 1, top: 0 });

  useLayoutEffect(() => {
    const box = place.current;
    if (!box) return;
    const measure = () => setWidth(box.clientWidth);
    measure();
    box.focus();
    const watch = new ResizeObserver(measure);
    watch.observe(box);
    return () => watch.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the zoom moves pages away from under their reader
  useLayoutEffect(() => {
    const box = place.current;
    const { page, share } = reading.current;
    if (!box) return;
    box.scrollTop = (tops[page - 1] ?? 0) - GAP + share * (sizeOf(page).height * zoom);
    held.current = { page: current, top: box.scrollTop };
  }, [zoom]);
  const scrolled = () => {
    const box = place.current;
    if (!box) return;
    const top = pageAt(tops, box.scrollTop + GAP);
    reading.current = { page: top, share: (box.scrollTop + GAP - (tops[top - 1] ?? 0)) / (sizeOf(top).height * zoom) };
    const { page, top: where } = held.current;
    setCurrent(Math.abs(box.scrollTop - where) < 2 ? page : pageAt(tops, box.scrollTop + box.clientHeight / 2));
  };
  const goTo = (page: number) => {
    const to = Math.max(1, Math.min(pdf.pages, page));
    const box = place.current;
    if (box) {
      box.scrollTop = (tops[to - 1] ?? 0) - GAP;
      held.current = { page: to, top: box.scrollTop };
    }
    setCurrent(to);
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
    const meant = keyMeaning(event.key);
    if (!meant) return;
    event.preventDefault();
    if (meant.what === 'zoom') setFactor(meant.by === 0 ? 1 : nextZoom(factor, meant.by));
    else if (meant.what === 'turn') goTo(current + meant.by);
    else goTo(meant.to === 'first' ? 1 : pdf.pages);
  };
  const wide = Math.max(...Array.from({ length: last - first + 1 }, (_, at) => sizeOf(first + at).width)) * zoom;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole viewer, wherever in it the focus is
    <div className={classes.viewer} onKeyDown={keyed}>
      <div className={classes.bar} role="toolbar" aria-label={t('阅读工具')}>
        <button
          type="button"
          className={icon.button}
          aria-label={t('上一页')}
          disabled={current <= 1}
          onClick={() => goTo(current - 1)}
        >
          <IconChevronUp size={20} stroke={1.6} aria-hidden />
        </button>
        <PageNumber current={current} pages={pdf.pages} onPage={goTo} />
        <button
          type="button"
          className={icon.button}
          aria-label={t('下一页')}
          disabled={current >= pdf.pages}
          onClick={() => goTo(current + 1)}
        >
          <IconChevronDown size={20} stroke={1.6} aria-hidden />
        </button>
        <span className={classes.rule} aria-hidden />
        <button
          type="button"
          className={icon.button}
          aria-label={t('缩小')}
          disabled={nextZoom(factor, -1) === factor}
          onClick={() => setFactor(nextZoom(factor, -1))}
        >
          <IconZoomOut size={20} stroke={1.6} aria-hidden />
        </button>
        <button type="button" className={classes.percent} title={t('适合宽度')} onClick={() => setFactor(1)}>
          {Math.round(factor * 100)}%
        </button>
        <button
          type="button"
          className={icon.button}
          aria-label={t('放大')}
          disabled={nextZoom(factor, 1) === factor}
          onClick={() => setFactor(nextZoom(factor, 1))}
        >
          <IconZoomIn size={20} stroke={1.6} aria-hidden />
        </button>
        <span className={classes.rule} aria-hidden />
        <button type="button" className={icon.button} aria-label={downWord} onClick={onDownload}>
          <IconDownload size={20} stroke={1.6} aria-hidden />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keys */}
      <div ref={place} className={classes.place} tabIndex={0} role="document" aria-label={name} onScroll={scrolled}>
        <div className={classes.all} style={{ height, minWidth: wide + MARGIN }}>
          {width > 0 &&
            Array.from({ length: last - first + 1 }, (_, at) => first + at).map((page) => (
              <DrawnPage
                key={page}
                pdf={pdf}
                page={page}
                zoom={zoom}
                size={sizeOf(page)}
                top={tops[page - 1] ?? 0}
                onSize={(size) => {
                  const known = sizeOf(page);
                  if (known.width !== size.width || known.height !== size.height)
                    setSizes((was) => new Map(was).set(page, size));
                }}
                onTrouble={onTrouble}
              />
            ))}
        </div>
      </div>
    </div>
  );
}

/** The page that is looked at; another one is gone to by its number. */
function PageNumber({ current, pages, onPage }: { current: number; pages: number; onPage: (page: number) => void }) {
  /** null: nobody types, it says the page that is looked at. */
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const page = Number(typed ?? '');
    if (Number.isInteger(page) && page >= 1 && page <= pages) onPage(page);
    setTyped(null);
  };
  return (
    <span className={classes.number}>
      <input
        value={typed ?? String(current)}
        inputMode="numeric"
        aria-label={t('页码')}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={go}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go();
        }}
      />
      <span>/ {pages}</span>
    </span>
  );
}

interface DrawnProps {
  pdf: OpenPdf;
  page: number;
  zoom: number;
  size: PageSize;
  top: number;
  onSize: (size: PageSize) => void;
  onTrouble: (why: PdfFailure) => void;
}

/** One page, drawn while it stands near what is looked at; its canvas is given back with it. */
function DrawnPage({ pdf, page, zoom, size, top, onSize, onTrouble }: DrawnProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [faulty, setFaulty] = useState(false);
  const tell = useRef({ onSize, onTrouble });
  useEffect(() => {
    tell.current = { onSize, onTrouble };
  });
  useEffect(() => {
    const sheet = canvas.current;
    const words = text.current;
    if (!sheet || !words) return;
    const ending = new AbortController();
    pdf.draw(page, { canvas: sheet, text: words, zoom, signal: ending.signal }).then(
      (found) => {
        setFaulty(false);
        if (!ending.signal.aborted) tell.current.onSize(found);
      },
      (error: unknown) => {
        if (ending.signal.aborted) return;
        // One page that is damaged leaves the others; what the server gives no more ends it all.
        if (error instanceof PdfTrouble && error.why !== 'broken') tell.current.onTrouble(error.why);
        else setFaulty(true);
      },
    );
    return () => ending.abort();
  }, [pdf, page, zoom]);
  useEffect(() => {
    const sheet = canvas.current;
    return () => {
      // The memory of a canvas is given back with its size, not when it is collected.
      if (sheet) sheet.width = 0;
    };
  }, []);
  const [width, height] = [Math.floor(size.width * zoom), Math.floor(size.height * zoom)];
  return (
    <div
      className={classes.page}
      data-page={page}
      style={
        {
          top,
          width,
          height,
          '--total-scale-factor': zoom,
          '--scale-round-x': '1px',
          '--scale-round-y': '1px',
        } as object
      }
    >
      <canvas ref={canvas} className={classes.sheet} aria-hidden />
      <div ref={text} className={classes.text} />
      {faulty && <p className={classes.faulty}>{t('这一页已损坏，显示不出来')}</p>}
    </div>
  );
}

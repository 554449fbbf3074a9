import { type ComponentType, memo, useLayoutEffect, useRef, useState } from 'react';
import { languageOf } from '#rules/rich-text/language.ts';
import classes from './RichText.module.css';
import { hasFormula, safeHtml } from './safe-html.ts';
import { cueScroll } from './scroll-cue.ts';
import { t } from './words.ts';

interface ZoomProps {
  image: { src: string; alt: string };
  onClose: () => void;
}
let ImageZoom: ComponentType<ZoomProps> | null = null;

type Formulas = typeof import('./formulas.ts');
/** What sets formulas, once it has come. */
let code: Formulas | null = null;

/** Brings what sets formulas, so that texts with some are drawn with them at once. @returns null: it could not be had, and they stay as their source */
export async function fetchFormulas(): Promise<Formulas | null> {
  try {
    code ??= await import('./formulas.ts');
  } catch {
    return null;
  }
  return code;
}

/** What sets formulas, where it has come. */
export const formulaCode = (): Formulas | null => code;

interface Props {
  /** HTML with formulas as \(…\) and \[…\]. It is cleaned again here, whatever the server did. */
  html: string;
  className?: string | undefined;
  /** `false` inside something that is itself a button: a click then belongs to that. */
  zoom?: boolean;
  /** What a picture is called that its author did not describe: where it stands. */
  picture?: string | undefined;
}

/** What scrolls sideways by itself where it is wider than its place. */
const WIDE = `.${classes.scroll}, pre, .katex-display, [data-wide]`;

/**
 * A text from a content pack. Only what the allow-list names is shown; formulas come set beside it, and bring their library only
 * where they do not; images open large; tables and formulas scroll inside, with a cue. It names its language, so that a screen reader reads Chinese as Chinese in an English interface.
 */
export const RichText = memo(function RichText({ html, className, zoom = true, picture }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [image, setImage] = useState<ZoomProps['image'] | null>(null);
  const safe = safeHtml(html);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `safe` is what put the nodes there that are dressed here
  useLayoutEffect(() => {
    const node = box.current;
    if (!node) return;
    // What is inside a button is no stop of the keyboard.
    const inButton = node.closest('button, a') !== null;
    for (const table of node.querySelectorAll('table')) {
      if (table.parentElement?.classList.contains(classes.scroll ?? '')) continue;
      const scroll = document.createElement('div');
      scroll.className = classes.scroll ?? '';
      if (!inButton) {
        scroll.tabIndex = 0;
        scroll.setAttribute('role', 'region');
        scroll.setAttribute('aria-label', t('表格'));
      }
      table.replaceWith(scroll);
      scroll.append(table);
    }
    // A picture that its author did not describe is at least known to be there, and where.
    const name = picture ?? t('图片');
    for (const [at, img] of [...node.querySelectorAll<HTMLImageElement>('img[alt=""]')].entries())
      img.alt = at === 0 ? name : `${name} ${at + 1}`;
    if (zoom) {
      for (const img of node.querySelectorAll<HTMLImageElement>('img[src]')) {
        img.tabIndex = 0;
        img.setAttribute('role', 'button');
        img.setAttribute('aria-label', t('放大图片：{alt}', { alt: img.alt }));
      }
    }
    const formulas = hasFormula(html);
    const wide = () => [...node.querySelectorAll<HTMLElement>(WIDE)];
    if (!formulas) return wide().length === 0 ? undefined : cueScroll(node, wide);
    let gone = false;
    let end: (() => void) | undefined;
    const set = (by: Formulas) => {
      const rest = by.typeset(node);
      end?.();
      end = cueScroll(node, () => {
        by.markWide(node, inButton);
        // Where pictures are no buttons the whole text is one line of a button, and scrolls as a whole.
        return zoom ? wide() : [...wide(), node];
      });
      void rest?.then((come) => {
        if (come && !gone) set(by);
      });
    };
    if (code) set(code);
    else
      void fetchFormulas().then((found) => {
        // Without a network the formula stays readable as its source.
        if (found && !gone) set(found);
      });
    return () => {
      gone = true;
      end?.();
    };
  }, [safe, html, zoom, picture]);

  const open = (target: EventTarget): boolean => {
    if (!zoom || !(target instanceof HTMLImageElement) || !target.hasAttribute('src')) return false;
    const { src, alt } = target;
    import('./ImageZoom.tsx')
      .then((zoomed) => {
        ImageZoom = zoomed.default;
        setImage({ src, alt });
      })
      // Without a network the image stays as large as it is; the page must not break for it.
      .catch(() => undefined);
    return true;
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the images inside are the buttons, this only listens for them */}
      <div
        ref={box}
        lang={languageOf(safe)}
        className={className ? `${classes.text} ${className}` : classes.text}
        onClick={(event) => open(event.target)}
        onKeyDown={(event) => {
          if ((event.key === 'Enter' || event.key === ' ') && open(event.target)) {
            event.preventDefault();
            event.stopPropagation();
          }
        }}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by the allow-list one line above
        dangerouslySetInnerHTML={{ __html: safe }}
      />
      {image && ImageZoom && <ImageZoom image={image} onClose={() => setImage(null)} />}
    </>
  );
});

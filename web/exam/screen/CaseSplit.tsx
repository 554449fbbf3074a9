import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { languageOf } from '#rules/rich-text/language.ts';
import { RichText } from '#ui/RichText.tsx';
import { recall, remember } from '#web/lib/remember.ts';
import { t } from '#web/lib/t.ts';
import type { CaseMaterial } from '../paper.ts';
import classes from './CaseSplit.module.css';
import { useShortWindow } from './short-window.ts';

const NAME = 'exam.split';
const LEAST = 20;
const MOST = 75;
const USUAL = 44;
const STEP = 4;

type Side = 'material' | 'question';
const sides: readonly Side[] = ['material', 'question'];

interface Props {
  /** Undefined where the question has none, null where it names one that is not there. */
  material: CaseMaterial | null | undefined;
  /** The place of the question in its paper: another one is shown as a question, whatever tab was open. */
  at: number;
  children: ReactNode;
}

/**
 * Case material and question beside each other with a divider that can be dragged or moved by arrow keys, and is
 * remembered; above each other on phones. Each side scrolls by itself. In a short window (a page at 400%) there is room for one
 * of them, so they are two tabs.
 */
export function CaseSplit({ material, at, children }: Props) {
  const id = useId();
  const short = useShortWindow() && material !== undefined;
  const [tab, setTab] = useState<{ at: number; shows: Side }>({ at, shows: 'question' });
  const shows = tab.at === at ? tab.shows : 'question';
  const panel = (side: Side) =>
    short
      ? {
          role: 'tabpanel',
          id: `${id}-${side}`,
          'aria-labelledby': `${id}-${side}-tab`,
          'data-away': shows === side ? undefined : true,
        }
      : {};
  const box = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(() => within(Number(recall(NAME)) || USUAL));
  const [stacked, setStacked] = useState(false);
  useEffect(() => {
    const narrow = window.matchMedia('(max-width: 48em)');
    const look = () => setStacked(narrow.matches);
    look();
    narrow.addEventListener('change', look);
    return () => narrow.removeEventListener('change', look);
  }, []);
  const change = (next: number) => {
    const allowed = within(next);
    setShare(allowed);
    remember(NAME, String(allowed));
  };
  const drag = (event: React.PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const area = box.current?.getBoundingClientRect();
    if (!area) return;
    const part = stacked ? (event.clientY - area.top) / area.height : (event.clientX - area.left) / area.width;
    setShare(within(Math.round(part * 100)));
  };
  const arrows: Readonly<Record<string, number>> = stacked
    ? { ArrowUp: -STEP, ArrowDown: STEP }
    : { ArrowLeft: -STEP, ArrowRight: STEP };
  return (
    <div
      ref={box}
      className={classes.split}
      data-plain={material === undefined || undefined}
      style={{ '--share': `${share}%` } as React.CSSProperties}
    >
      {short && (
        <div role="tablist" aria-label={t('材料与题目')} className={classes.tabs}>
          {sides.map((side) => (
            <button
              key={side}
              type="button"
              role="tab"
              id={`${id}-${side}-tab`}
              aria-selected={shows === side}
              aria-controls={`${id}-${side}`}
              tabIndex={shows === side ? 0 : -1}
              onClick={() => setTab({ at, shows: side })}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
                // The same arrows turn the page elsewhere.
                event.preventDefault();
                event.stopPropagation();
                const other = event.currentTarget.parentElement?.querySelector<HTMLElement>('[aria-selected="false"]');
                setTab({ at, shows: side === 'question' ? 'material' : 'question' });
                other?.focus();
              }}
            >
              {side === 'material' ? t('材料') : t('题目')}
            </button>
          ))}
        </div>
      )}
      {material !== undefined && (
        <section className={classes.material} aria-label={t('案例')} key={material?.id} {...panel('material')}>
          {material ? (
            <>
              <h2 lang={languageOf(material.title)}>{material.title || t('案例')}</h2>
              <RichText html={material.text} className={classes.text} picture={t('材料的图片')} />
            </>
          ) : (
            <p className={classes.none}>{t('暂无案例')}</p>
          )}
        </section>
      )}
      {material !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: a divider that can be moved is a focusable separator, not an hr
        <div
          className={classes.divider}
          role="separator"
          tabIndex={0}
          aria-label={t('调整案例区大小')}
          aria-orientation={stacked ? 'horizontal' : 'vertical'}
          aria-valuemin={LEAST}
          aria-valuemax={MOST}
          aria-valuenow={share}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag}
          onPointerUp={() => change(share)}
          onDoubleClick={() => change(USUAL)}
          onKeyDown={(event) => {
            const by = arrows[event.key];
            if (by === undefined) return;
            // The same arrows turn the page elsewhere.
            event.preventDefault();
            event.stopPropagation();
            change(share + by);
          }}
        />
      )}
      <div className={classes.question} key="question" data-top {...panel('question')}>
        {children}
      </div>
    </div>
  );
}

function within(share: number): number {
  return Math.max(LEAST, Math.min(MOST, share));
}

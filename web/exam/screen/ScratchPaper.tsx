import { FocusTrap } from '@mantine/core';
import { IconArrowBackUp, IconTrash, IconX } from '@tabler/icons-react';
import { type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import icon from '#ui/icon-button.module.css';
import { t } from '#web/lib/t.ts';
import { addStroke, hasRoom, type Jottings, TEXT_LONGEST, useJottings } from '../session/jottings.ts';
import { useExamState, useShownRecord } from './ExamContext.ts';
import classes from './ScratchPaper.module.css';
import { isShortWindow } from './short-window.ts';

/**
 * 草稿纸: a sheet beside the question, to draw and to type on. No dialog: the question stays in reach. In a short window, which it fills, it is
 * one: what lies under it cannot be seen, and the keyboard does not go there.
 */
export function ScratchPaper() {
  const open = useExamState((state) => state.scratch && state.phase !== 'closed' && state.phase !== 'review');
  return open ? <Sheet /> : null;
}

function Sheet() {
  const { dispatch } = useShownRecord();
  const [jottings, jot] = useJottings(useExamState((state) => state.record.recordId));
  const id = useId();
  // As it was opened: a keyboard of the screen makes the window short while somebody types, and takes no focus from them.
  const [fills] = useState(isShortWindow);
  const heading = useRef<HTMLHeadingElement>(null);
  /** What was wiped, for as long as the sheet is open and nothing new is on it. */
  const [wiped, setWiped] = useState<Pick<Jottings, 'text' | 'strokes'> | null>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  const close = () => dispatch({ type: 'scratch', on: false });
  const { text, strokes } = jottings;
  const empty = text === '' && strokes.length === 0;
  const undo = () => {
    if (wiped) jot((before) => ({ ...before, ...wiped }));
    else jot((before) => ({ ...before, strokes: before.strokes.slice(0, -1) }));
    setWiped(null);
  };
  const wipe = () => {
    setWiped({ text, strokes });
    jot((before) => ({ ...before, text: '', strokes: [] }));
  };
  const full = !hasRoom(jottings);
  return (
    <FocusTrap active={fills}>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: a dialog can be modal; the check reads only a role that is one text */}
      <aside
        className={classes.sheet}
        role={fills ? 'dialog' : undefined}
        aria-modal={fills || undefined}
        aria-labelledby={`${id}-name`}
        onKeyDown={(event) => {
          // A letter is meant for the sheet, and answers no question. Beside the question, arrows and Enter go on turning the page.
          if (event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey) event.stopPropagation();
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          close();
        }}
      >
        <div className={classes.head}>
          <h2 id={`${id}-name`} ref={heading} tabIndex={-1} data-autofocus>
            {t('草稿纸')}
          </h2>
          <Tool onPress={wiped === null && strokes.length === 0 ? null : undo}>
            <IconArrowBackUp size={18} aria-hidden />
            {t('撤销')}
          </Tool>
          <Tool onPress={empty ? null : wipe}>
            <IconTrash size={18} aria-hidden />
            {t('清空')}
          </Tool>
          <button
            type="button"
            className={icon.button}
            onClick={close}
            aria-label={t('收起草稿纸')}
            title={t('收起草稿纸')}
          >
            <IconX size={20} aria-hidden />
          </button>
        </div>
        <Drawing
          strokes={strokes}
          onStroke={(stroke) => {
            setWiped(null);
            jot((before) => addStroke(before, stroke));
          }}
        />
        <label className="unseen" htmlFor={`${id}-text`}>
          {t('草稿纸上的文字')}
        </label>
        <textarea
          id={`${id}-text`}
          className={classes.text}
          rows={2}
          maxLength={TEXT_LONGEST}
          placeholder={t('也可以在这里打字')}
          value={text}
          aria-describedby={`${id}-note`}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setWiped(null);
            jot((before) => ({ ...before, text: value.slice(0, TEXT_LONGEST) }));
          }}
        />
        <p id={`${id}-note`} className={classes.note} role={full ? 'status' : undefined}>
          {full ? t('草稿纸写满了，请撤销或清空后再写。') : t('只留在本浏览器里，不算作答，交卷后清除。')}
        </p>
      </aside>
    </FocusTrap>
  );
}

/** `onPress` null: there is nothing to do. It is not `disabled` then: the browser would take the keyboard away from who has just pressed it. */
function Tool({ onPress, children }: { onPress: (() => void) | null; children: ReactNode }) {
  return (
    <button
      type="button"
      className={classes.tool}
      aria-disabled={onPress === null || undefined}
      onClick={() => onPress?.()}
    >
      {children}
    </button>
  );
}

const pathOf = (stroke: readonly number[]): string => {
  const [x = 0, y = 0, ...rest] = stroke;
  // A point alone is a dot.
  return rest.length === 0 ? `M${x} ${y}h0` : `M${x} ${y}L${rest.join(' ')}`;
};

interface DrawingProps {
  strokes: Jottings['strokes'];
  onStroke: (stroke: number[]) => void;
}

/** Where a mouse, a finger or a pen draws. */
function Drawing({ strokes, onStroke }: DrawingProps) {
  const [drawn, setDrawn] = useState<readonly number[]>([]);
  /** The stroke that is drawn, and by which pointer: a palm or a second finger beside it draws nothing. */
  const stroke = useRef<{ by: number; points: number[] } | null>(null);
  const add = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    stroke.current?.points.push(event.clientX - box.left, event.clientY - box.top);
    setDrawn([...(stroke.current?.points ?? [])]);
  };
  const end = ({ pointerId }: PointerEvent) => {
    if (stroke.current?.by !== pointerId) return;
    onStroke(stroke.current.points);
    stroke.current = null;
    setDrawn([]);
  };
  return (
    <svg
      className={classes.drawing}
      role="img"
      aria-label={t('手写区，用鼠标、手指或笔写')}
      tabIndex={-1}
      onPointerDown={(event) => {
        if (event.button !== 0 || stroke.current) return;
        // The keyboard goes where one draws; a finger moves it nowhere by itself.
        event.currentTarget.focus({ preventScroll: true });
        event.currentTarget.setPointerCapture(event.pointerId);
        stroke.current = { by: event.pointerId, points: [] };
        add(event);
      }}
      onPointerMove={(event) => {
        if (stroke.current?.by === event.pointerId) add(event);
      }}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {strokes.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stroke has no other name than its place
        <path key={at} d={pathOf(line)} />
      ))}
      {drawn.length > 0 && <path d={pathOf(drawn)} />}
    </svg>
  );
}

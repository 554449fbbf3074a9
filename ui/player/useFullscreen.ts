import { type RefObject, useEffect, useState } from 'react';

export interface Screen {
  full: boolean;
  toggle: () => void;
  /** Back to the page, from wherever it is. */
  leave: () => void;
}

/**
 * Shows an element over the whole screen, or over the whole window where only a bare film may have the screen (iPhone): what lies over the
 * film, such as a watermark, would be left behind there.
 */
export function useFullscreen(element: RefObject<HTMLElement | null>): Screen {
  const [screen, setScreen] = useState(false);
  const [page, setPage] = useState(false);
  useEffect(() => {
    const onChange = () => setScreen(document.fullscreenElement === element.current && element.current !== null);
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, [element]);
  useEffect(() => {
    if (!page) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setPage(false);
    document.addEventListener('keydown', onKey);
    const { overflow } = document.body.style;
    document.body.style.overflow = 'hidden';
    return () => {
      document.removeEventListener('keydown', onKey);
      document.body.style.overflow = overflow;
    };
  }, [page]);
  const toggle = () => {
    if (page) setPage(false);
    else if (document.fullscreenElement !== null) void document.exitFullscreen();
    else if (document.fullscreenEnabled && element.current !== null)
      element.current.requestFullscreen().catch(() => setPage(true));
    else setPage(true);
  };
  const leave = () => {
    setPage(false);
    if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined);
  };
  return { full: screen || page, toggle, leave };
}

import type { Progress } from './command.ts';

const BAR = 24;
/** How often a terminal is redrawn, and how often a log file gets a line (milliseconds). */
const REDRAW = 100;
const LOG_LINE = 5000;

/** A progress bar on stderr: redrawn in place on a terminal, a line now and then in a log file. */
export function progressBar(out: NodeJS.WriteStream, now: () => number = () => performance.now()): Progress {
  let current = '';
  let started = 0;
  let drawn = 0;
  let open = false;

  const line = (what: string, done: number, of: number | null, unit: string) => {
    const seconds = (now() - started) / 1000;
    const rate = seconds > 0.2 ? `  ${Math.round(done / seconds)} ${unit}/秒` : '';
    if (of === null) return `${what} ${done} ${unit}${rate}`;
    const share = of > 0 ? Math.min(done / of, 1) : 1;
    const full = Math.round(share * BAR);
    return `${what} ${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${Math.floor(share * 100)}%  ${done}/${of} ${unit}${rate}`;
  };

  const end = () => {
    if (open) out.write('\n');
    open = false;
  };

  return {
    show(what, done, of, unit = '行') {
      if (what !== current) {
        end();
        current = what;
        started = now();
        drawn = Number.NEGATIVE_INFINITY;
      }
      const last = of !== null && done >= of;
      if (!last && now() - drawn < (out.isTTY ? REDRAW : LOG_LINE)) return;
      drawn = now();
      if (out.isTTY) {
        out.write(`\r\u001b[2K${line(what, done, of, unit)}`);
        open = true;
      } else {
        out.write(`${line(what, done, of, unit)}\n`);
      }
    },
    end,
  };
}

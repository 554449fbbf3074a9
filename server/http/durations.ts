/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;
const NAME = 'lixue_call_seconds';

interface Line {
  path: string;
  status: number;
  /** How many took at most the bound of the same place and more than the one before; the last: more than all. */
  counts: number[];
  sum: number;
}

/**
 * How long calls took, as a Prometheus histogram by path and status. Counted by hand: the metrics library spends as long
 * on one observation as the database on one saved answer.
 */
export class CallDurations {
  readonly #lines = new Map<string, Map<number, Line>>();

  /** Counts one answer. `path` is the route as declared, so the number of lines is bounded. */
  observe(path: string, status: number, seconds: number): void {
    let byStatus = this.#lines.get(path);
    if (!byStatus) {
      byStatus = new Map();
      this.#lines.set(path, byStatus);
    }
    let line = byStatus.get(status);
    if (!line) {
      line = { path, status, counts: Array.from({ length: BOUNDS.length + 1 }, () => 0), sum: 0 };
      byStatus.set(status, line);
    }
    let at = 0;
    while (at < BOUNDS.length && seconds > (BOUNDS[at] ?? 0)) at += 1;
    line.counts[at] = (line.counts[at] ?? 0) + 1;
    line.sum += seconds;
  }

  /** The Prometheus text format, version 0.0.4. */
  text(): string {
    const lines = [`# HELP ${NAME} How long calls took, by path and status.`, `# TYPE ${NAME} histogram`];
    for (const byStatus of this.#lines.values()) {
      for (const { path, status, counts, sum } of byStatus.values()) {
        const labels = `path="${path.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}",status="${status}"`;
        let count = 0;
        for (const [at, own] of counts.entries()) {
          count += own;
          lines.push(`${NAME}_bucket{le="${BOUNDS[at] ?? '+Inf'}",${labels}} ${count}`);
        }
        lines.push(`${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${count}`);
      }
    }
    return `${lines.join('\n')}\n`;
  }
}

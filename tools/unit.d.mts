interface UnitRun {
  passed: number;
  failed: number;
  skipped: number;
  failures: { name: string; reason: string }[];
  again: { name: string; reason: string; first: 'failed'; second: 'passed' | 'failed' | 'skipped' | 'did not run' }[];
  times: { file: string; milliseconds: number }[];
  ended: boolean;
}

export function runUnit(options: {
  folder?: string;
  results: string;
  env?: Record<string, string>;
  quiet?: boolean;
}): UnitRun;

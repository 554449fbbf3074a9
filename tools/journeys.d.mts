type Verdict = 'passed' | 'failed' | 'skipped' | 'did not run';

interface JourneyRun {
  passed: number;
  failed: number;
  skipped: number;
  again: { name: string; first: Verdict; second: Verdict }[];
  times: { file: string; milliseconds: number }[];
  ended: boolean;
}

export function runJourneys(options: {
  config: string;
  results: string;
  env?: Record<string, string>;
  quiet?: boolean;
}): JourneyRun;
export function tellAgain(again: JourneyRun['again']): string[];

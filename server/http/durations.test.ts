import { expect, it } from 'vitest';
import { CallDurations } from './durations.ts';

it('counts as a Prometheus histogram: each bucket holds all that took at most as long', () => {
  const durations = new CallDurations();
  for (const seconds of [0.001, 0.002, 0.003, 7]) durations.observe('/api/x', 200, seconds);
  durations.observe('/a"b\\', 404, 0.5);
  const text = durations.text();
  expect(text).toContain('# TYPE lixue_call_seconds histogram\n');
  expect(text).toContain('lixue_call_seconds_bucket{le="0.002",path="/api/x",status="200"} 2\n');
  expect(text).toContain('lixue_call_seconds_bucket{le="0.005",path="/api/x",status="200"} 3\n');
  expect(text).toContain('lixue_call_seconds_bucket{le="5",path="/api/x",status="200"} 3\n');
  expect(text).toContain('lixue_call_seconds_bucket{le="+Inf",path="/api/x",status="200"} 4\n');
  expect(text).toContain('lixue_call_seconds_sum{path="/api/x",status="200"} 7.006\n');
  expect(text).toContain('lixue_call_seconds_count{path="/api/x",status="200"} 4\n');
  expect(text).toContain('lixue_call_seconds_bucket{le="1",path="/a\\"b\\\\",status="404"} 1\n');
});

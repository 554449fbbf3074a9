/** A phone's slow line as Chromium takes it: 1.6 Mbit/s down, 0.75 up (bytes a second), 150 ms. */
export const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };

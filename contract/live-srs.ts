import { callback } from './callback.ts';

/** SRS asks whether somebody may send or fetch a stream, and tells when one ends. Its secret stands in the query: SRS sends no headers of ours. */
export const SrsCallback = callback('/notify/srs', {
  says: 'SRS, where it takes the streams, asks whether somebody may send or fetch one, and tells when one ends. Its secret stands in the query, which SRS calls within the private network alone.',
  source: 'decisions §5; docs/decisions/077-srs.md',
  bodyLimit: 16 * 1024,
  // One machine asks for all encoders, strangers among them.
  limits: { inFlight: 64, perMinute: 6000, bytesPerMinute: 32 * 1024 * 1024 },
});

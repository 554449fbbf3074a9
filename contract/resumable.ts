import type { CallLimits } from './call.ts';

/**
 * An address below which files of any size come in, piece by piece, by tus 1.0 (https://tus.io/protocols/resumable-upload): it is
 * declared once, as a call is. An upload is begun with a POST, asked about with HEAD, goes on with PATCH from where it was, and is taken back
 * with DELETE. What is refused is answered with the envelope that calls have, beside the headers of the protocol.
 */
export interface Resumable {
  /** A new upload is begun here; those that are under way are below it. */
  readonly path: `/${string}`;
  /** One English sentence for the docs. */
  readonly says: string;
  /** Where it comes from: a section of the product spec or of the decisions. */
  readonly source: string;
  readonly who: 'teacher';
  /** How much one person may ask for; bytes of bodies are not counted: disk and line bound them. */
  readonly limits: Pick<CallLimits, 'inFlight' | 'perMinute'>;
}

/** Where SRS is, and what it and this site know of each other. */
export interface SrsSettings {
  /** Its HTTP API, maybe with an account; of the private network. */
  api: string;
  /** Where it serves streams as HTTP-FLV; of the private network. */
  flv: string;
  /** Where encoders send to, as teachers read it. */
  rtmp: string;
  /** Stands in the addresses of its callbacks, and signs what fetches a stream. */
  secret: string;
  /** The folder of what it records, as this machine sees it; null: not from here. */
  recordings: string | null;
}

/** What a stream key looks like: characters that need no escape in an address, too many to be guessed. */
const KEY = /^[A-Za-z0-9_-]{16,128}$/;
/** What a stream is called in folders and messages: never its key. */
const STREAM = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** The key in the name that an encoder publishes under; what stands behind a question mark is left out. @returns null: none */
export function keyIn(name: string): string | null {
  const [key = ''] = name.split('?', 1);
  return KEY.test(key) ? key : null;
}

export const isStreamName = (name: unknown): name is string => typeof name === 'string' && STREAM.test(name);

/**
 * A text for logs and people without keys: paths of RTMP addresses, and each of the keys that are known, go (incidents:
 * datarhei/restreamer#107, the key came out in an error text).
 */
export function withoutKeys(text: string, keys: Iterable<string> = []): string {
  let hidden = text.replace(/(rtmps?:\/\/[^\s/'"]*)\/[^\s'"]*/gi, '$1/…');
  for (const key of keys) if (key.length > 0) hidden = hidden.replaceAll(key, '…');
  return hidden;
}

import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';

/** What a server said to one request. */
interface Said {
  status: number;
  headers: IncomingHttpHeaders;
  why: string | undefined;
}

/** A request of tus on its way: bytes are written to it, and it may break off. */
interface Sending {
  request: ClientRequest;
  /** Ends with an error where the connection did. */
  said: Promise<Said>;
}

type Headers = Record<string, string | number>;
export const TUS = { 'tus-resumable': '1.0.0' };
export const PIECE = { ...TUS, 'content-type': 'application/offset+octet-stream' };

/** What is said of a file, as `Upload-Metadata` has it. */
export const metadata = (pairs: Record<string, string>) =>
  Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

/** Speaks tus with a server on a port of this machine, over real connections. */
export function tusClient(port: number, token: string | undefined) {
  const auth: Headers = token === undefined ? {} : { authorization: `Bearer ${token}` };

  /** Begins a request and leaves it open. */
  function begin(method: string, path: string, headers: Headers = {}): Sending {
    const sent = request({ port, host: '127.0.0.1', method, path, headers: { ...auth, ...headers }, agent: false });
    const said = new Promise<Said>((resolve, reject) => {
      sent.once('error', reject);
      sent.once('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        answer.once('end', () => {
          const why = text === '' ? undefined : (JSON.parse(text) as { data: { why?: string } }).data.why;
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, why });
        });
      });
    });
    // Whoever breaks off does not ask how it ended.
    said.catch(() => undefined);
    return { request: sent, said };
  }

  async function ask(method: string, path: string, headers: Headers = {}, body?: Uint8Array): Promise<Said> {
    const { request: sent, said } = begin(method, path, {
      ...headers,
      ...(body ? { 'content-length': body.byteLength } : {}),
    });
    sent.end(body);
    return said;
  }
  return {
    begin,
    ask,
    /** @returns its address */
    async create(bytes: number, pairs: Record<string, string> = {}): Promise<string> {
      const described = metadata({ purpose: 'media', filename: '第一讲.mp4', ...pairs });
      const said = await ask('POST', '/app/upload', { ...TUS, 'upload-length': bytes, 'upload-metadata': described });
      if (said.status !== 201) throw new Error(`not begun: ${said.status} ${said.why}`);
      return String(said.headers.location);
    },
    head: (address: string) => ask('HEAD', address, TUS),
    patch: (address: string, offset: number, body: Uint8Array, headers: Headers = {}) =>
      ask('PATCH', address, { ...PIECE, 'upload-offset': offset, ...headers }, body),
    /** Begins to send bytes and leaves the rest open. */
    open: (address: string, offset: number, length: number) =>
      begin('PATCH', address, { ...PIECE, 'upload-offset': offset, 'content-length': length }),
  };
}

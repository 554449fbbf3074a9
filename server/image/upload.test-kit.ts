import type { Envelope, Refusal } from '#contract/envelope.ts';
import type { TestApp, TestUser } from '#server/test-kit.ts';

/** A part of a form. */
export interface Part {
  name: string;
  fileName?: string;
  type?: string;
  body: Uint8Array | string;
}

const BOUNDARY = 'lixue-test-boundary';

/** A form as a browser sends it. */
export function formOf(parts: readonly Part[]): { payload: Buffer; headers: Record<string, string> } {
  const pieces = parts.flatMap(({ name, fileName, type, body }) => [
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n`,
    `${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n`,
    body,
    '\r\n',
  ]);
  const payload = Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece as string)));
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } };
}

interface Uploaded {
  fileName: string;
  filePath: string;
}

/** Uploads whatever parts, and gives the envelope. */
export async function sendForm(
  { app }: TestApp,
  parts: readonly Part[],
  as: TestUser | null,
): Promise<Envelope<Uploaded & Refusal>> {
  const { payload, headers } = formOf(parts);
  const authorization = as === null ? {} : { authorization: `Bearer ${as.token}` };
  const url = '/api/common/upload';
  const answer = await app.inject({ method: 'POST', url, payload, headers: { ...headers, ...authorization } });
  const envelope = answer.json() as Envelope<Uploaded & Refusal>;
  if (envelope.code !== answer.statusCode)
    throw new Error(`code ${envelope.code} is not the status ${answer.statusCode}`);
  return envelope;
}

/** Uploads a picture as the upload of a page does. */
export function sendImage(kit: TestApp, as: TestUser | null, opt: number, bytes: Uint8Array, fileName = '照片.jpg') {
  const file = { name: 'file', fileName, type: 'image/jpeg', body: bytes };
  return sendForm(kit, [file, { name: 'opt', body: String(opt) }], as);
}

/** Uploads a picture, which has to be taken. */
export async function uploaded(kit: TestApp, as: TestUser, opt: number, bytes: Uint8Array): Promise<Uploaded> {
  const { code, data } = await sendImage(kit, as, opt, bytes);
  if (code !== 200) throw new Error(JSON.stringify(data));
  return data;
}

/** How a stored picture is answered to somebody. */
export async function seen(
  { app }: TestApp,
  url: string,
  as: TestUser | null,
): Promise<{ status: number; bytes: Buffer }> {
  const headers = as === null ? {} : { authorization: `Bearer ${as.token}` };
  const { statusCode, rawPayload } = await app.inject({ method: 'GET', url, headers });
  return { status: statusCode, bytes: rawPayload };
}

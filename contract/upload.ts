import { Type } from 'typebox';
import { call, Id, Millis, Nullable, OneOf } from './call.ts';
import type { Resumable } from './resumable.ts';
import { UPLOAD_PATH, uploadPurposes } from './values/upload.ts';

/** Files that teachers bring in. `Upload-Metadata`: `purpose`, `filename`, and `fingerprint`, by which a browser finds an upload again. */
export const UPLOADS: Resumable = {
  path: UPLOAD_PATH,
  says: 'Files of any size that teachers bring in, by tus 1.0: they go on after a cut from where they were.',
  source: 'decisions §4; docs/decisions/036-uploads.md',
  who: 'teacher',
  limits: { inFlight: 12, perMinute: 1200 },
};

export const ListUploads = call('GET /app/upload/list', {
  says: 'The uploads that have not been taken in yet, of all teachers: those that come, those that are looked at, those that were refused.',
  source: 'decisions §4; docs/decisions/036-uploads.md',
  who: 'teacher',
  input: Type.Object({ uploadFor: OneOf(uploadPurposes) }),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        address: Nullable(Type.String({ description: 'where it goes on; null: somebody else’s' })),
        fingerprint: Type.String({ description: 'as its browser said; empty: somebody else’s' }),
        fileName: Type.String(),
        bytes: Type.Integer(),
        received: Type.Integer({ description: 'bytes that are safely here' }),
        state: OneOf(['receiving', 'checking', 'refused'] as const),
        active: Type.Boolean({ description: 'bytes come in now' }),
        reason: Type.String({ description: 'in Chinese: why it was refused, or has to be looked at again' }),
        broughtBy: Type.String({ description: 'nickname' }),
        uploadId: Id,
        expiresAt: Millis,
      }),
      { description: 'the newest first' },
    ),
  }),
});

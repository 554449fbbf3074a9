import { Type } from 'typebox';
import { call, FormFile } from './call.ts';
import { imageOpts, QA_IMAGE } from './values/image.ts';

/** The largest picture, and what a form needs around it. */
const BODY = QA_IMAGE + 16 * 1024;

export const UploadImage = call('POST /api/common/upload', {
  says: 'Takes one picture (JPEG or PNG), writes it anew without metadata, and keeps it a day for its uploader until a call that is given its `fileName` takes it.',
  source: 'spec §5, §7 Upload; decisions §2, §4; docs/decisions/039-uploaded-pictures.md',
  who: 'user',
  form: true,
  input: Type.Object({
    file: FormFile,
    opt: Type.Integer({
      minimum: imageOpts[0],
      maximum: imageOpts[2],
      description: '1 avatar (under 1 MB, cut to a square) · 0 feedback (under 1 MB) · 2 Q&A (at most 10240 KB)',
    }),
  }),
  data: Type.Object({
    fileName: Type.String({ description: 'names the picture in the call that uses it; works once, for its uploader' }),
    filePath: Type.String({ description: 'address of the picture, for those who may see it' }),
  }),
  refuses: [
    'imageFormat',
    'avatarTooLarge',
    'imageTooLarge',
    'qaImageTooLarge',
    'imageTooManyPixels',
    'imageBroken',
    'imagesFull',
    'tooMany',
    'tooLarge',
    'busy',
  ],
  bodyLimit: BODY,
  limits: { inFlight: 6, perMinute: 60, bytesPerMinute: 6 * BODY },
});

/** The name that an upload answered, in a call that uses the picture. */
export const ImageName = Type.String({ maxLength: 60, description: '`fileName` of an upload; empty: no picture' });

/** The pictures that are sent with feedback and questions, as the spec names them (spec §3; decisions §2). */
export const sentImages = {
  feedbackImg: Type.Optional(ImageName),
  feedbackImg1: Type.Optional(ImageName),
  feedbackImg2: Type.Optional(ImageName),
};

/** The pictures as they are read back (spec §3 Question/answer; decisions §2). */
export const shownImages = {
  feedbackImg: Type.String({ description: 'address of the first picture; empty: none' }),
  feedbackImg2: Type.String({ description: 'of the second' }),
  feedbackImg3: Type.String({ description: 'of the third' }),
};

/** What a picture is uploaded for: `opt` of the upload (spec §7 Upload, decisions §2). */
export const imageOpt = {
  /** An exam-question feedback's. */
  feedback: 0,
  /** The own avatar. */
  avatar: 1,
  /** A question's or an answer's in Q&A. */
  qa: 2,
} as const;
export const imageOpts = [0, 1, 2] as const;
export type ImageOpt = (typeof imageOpts)[number];

/** Pictures of one feedback, question or answer at most (spec §9). */
export const MOST_IMAGES = 3;

/** Exam, feedback and avatar pictures have less than this many bytes: 1 MB (spec §5; the hint of 500 KB is only a hint, decisions §10). */
export const SMALL_IMAGE = 1024 * 1024;
/** A picture for Q&A may have so many bytes: 10240 KB, whatever its message says (spec §5, decisions §10). */
export const QA_IMAGE = 10_240 * 1024;
/** Above so many bytes a picture for Q&A is made smaller by the browser: 3072 KB. */
export const QA_SHRINK_FROM = 3072 * 1024;
/** A picture with more points than this is not taken by the server (a telephone's photo has 12 to 24 million); one for Q&A is made smaller by the browser. */
export const MOST_POINTS = 25_000_000;
/** A picture for Q&A with more points than this is not decoded by the browser either: it would take half a gigabyte. */
export const DRAWN_POINTS = 120_000_000;
/** Longest side in pixels, and quality of the JPEG, of what the browser makes smaller (spec §9). */
export const SHRUNK_SIDE = 1920;
export const SHRUNK_QUALITY = 0.6;
/** Both sides of an avatar, in pixels: twice what the largest place shows of it. */
export const AVATAR_SIDE = 320;

/** What stands of an upload: its bytes come, they are whole and looked at, they were taken in, they were refused. */
const uploadStates = ['receiving', 'checking', 'done', 'refused'] as const;
export type UploadState = (typeof uploadStates)[number];

/** What a file is brought in for. */
export const uploadPurposes = ['media'] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

/** The address of uploads. */
export const UPLOAD_PATH = '/app/upload';
/** The largest file, in bytes. */
export const LARGEST_UPLOAD = 20 * 1024 ** 3;
/** Unfinished uploads of one person at once. */
export const MOST_UPLOADS = 20;
/** Bytes that the unfinished uploads of one person have together at most. */
export const MOST_UPLOAD_BYTES = 100 * 1024 ** 3;
/** The longest file name that is kept, in characters. */
export const LONGEST_FILE_NAME = 200;
/** Bytes that are sent in one request: proxies in front of servers often refuse more than 10 MB. */
export const UPLOAD_CHUNK = 8 * 1024 * 1024;
/** How long an upload of which nothing more comes is kept (milliseconds). */
export const UPLOAD_KEPT = 3 * 24 * 60 * 60_000;

import { type ImageOpt, imageOpt, QA_IMAGE, SMALL_IMAGE } from '#contract/values/image.ts';

/** What a file is, by how its bytes begin: its name and the type that its sender claims prove nothing. */
export type ImageKind = 'jpg' | 'png';

/** How many bytes tell the kind of a picture. */
export const KIND_BYTES = 8;

const starts: readonly [ImageKind, readonly number[]][] = [
  ['jpg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

/** The kind of a picture by its first `KIND_BYTES`; null: neither JPEG nor PNG. */
export function kindOfImage(start: ArrayLike<number>): ImageKind | null {
  for (const [kind, bytes] of starts) if (bytes.every((byte, at) => start[at] === byte)) return kind;
  return null;
}

/** Why a picture is refused; each is a sentence of the catalogue (contract/envelope.ts). */
type ImageFault = 'imageFormat' | 'avatarTooLarge' | 'imageTooLarge' | 'qaImageTooLarge';

/**
 * Whether a picture may be uploaded as it is (spec §5): JPEG or PNG alone, avatar and feedback under 1 MB, Q&A at most 10240 KB.
 * @param size in bytes @param kind of its first bytes
 */
export function checkImage(
  opt: ImageOpt,
  { size, kind }: { size: number; kind: ImageKind | null },
): { ok: true; kind: ImageKind } | { ok: false; why: ImageFault } {
  if (kind === null) return { ok: false, why: 'imageFormat' };
  if (opt === imageOpt.qa) return size > QA_IMAGE ? { ok: false, why: 'qaImageTooLarge' } : { ok: true, kind };
  if (size < SMALL_IMAGE) return { ok: true, kind };
  return { ok: false, why: opt === imageOpt.avatar ? 'avatarTooLarge' : 'imageTooLarge' };
}

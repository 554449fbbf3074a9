import { QA_LONGEST, type QaType, qaType, qaTypes } from '#contract/values/qa.ts';
import { keepDraft, keptDraft } from '#web/lib/drafts.ts';
import type { KeptImage } from '#web/lib/useImageUploads.ts';

/** What somebody has begun to ask. */
interface QuestionDraft {
  feedbackType: QaType;
  text: string;
  images: readonly KeptImage[];
}

const isImage = (image: unknown): image is KeptImage =>
  typeof image === 'object' &&
  image !== null &&
  ['fileName', 'preview'].every((field) => typeof (image as Record<string, unknown>)[field] === 'string');

/** The draft of a place, or nothing begun yet. @param place what it is asked about, see `askedPlace` */
export function draftOf(owner: number, place: string): QuestionDraft {
  return (
    keptDraft(owner, place, (kept) => {
      const { feedbackType, text, images } = kept as Record<string, unknown>;
      const type = qaTypes.find((known) => known === feedbackType);
      if (type === undefined || typeof text !== 'string') return null;
      return {
        feedbackType: type,
        text: [...text].slice(0, QA_LONGEST).join(''),
        images: Array.isArray(images) ? images.filter(isImage).slice(0, 3) : [],
      };
    }) ?? { feedbackType: qaType.teaching, text: '', images: [] }
  );
}

/** Keeps what was begun; nothing begun is nothing kept. */
export function saveDraft(owner: number, place: string, draft: QuestionDraft): void {
  keepDraft(owner, place, draft.text === '' && draft.images.length === 0 ? null : draft);
}

/** What somebody has begun to follow up with. */
type FollowUpDraft = Pick<QuestionDraft, 'text' | 'images'>;
const followUpPlace = (parentId: number) => `qa.followUp.${parentId}`;

/** The draft of a follow-up to an entry, or nothing begun yet. */
export function followUpDraft(owner: number, parentId: number): FollowUpDraft {
  return (
    keptDraft(owner, followUpPlace(parentId), (kept) => {
      const { text, images } = kept as Record<string, unknown>;
      if (typeof text !== 'string') return null;
      return {
        text: [...text].slice(0, QA_LONGEST).join(''),
        images: Array.isArray(images) ? images.filter(isImage).slice(0, 3) : [],
      };
    }) ?? { text: '', images: [] }
  );
}

/** Keeps a follow-up that was begun; nothing begun is nothing kept. */
export function saveFollowUpDraft(owner: number, parentId: number, draft: FollowUpDraft): void {
  const nothing = draft.text === '' && draft.images.length === 0;
  keepDraft(owner, followUpPlace(parentId), nothing ? null : draft);
}

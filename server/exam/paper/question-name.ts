import { CONTENT_KEY } from '#content/question/content-key.ts';
import { plainStart } from '#content/question/duplicates.ts';

/** How a question is named to whoever imports it: by the school's own key, by that of its folder, or, where it has neither, as it begins. */
export const questionName = ({
  slug,
  school_key,
  topic,
}: {
  slug: string;
  school_key: string | null;
  topic: string;
}): string => school_key ?? (slug.startsWith(CONTENT_KEY) ? `“${plainStart(topic).slice(0, 30)}”` : slug);

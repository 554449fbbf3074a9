import type { CheckedQuestion } from '#content/question/question.ts';
import type { CheckedPack } from './pack.ts';

/** Puts the served addresses of pictures where a text still names them. @param addresses by the name that texts use, `media/name.svg` */
export const withAddresses = (html: string, addresses: ReadonlyMap<string, string>): string =>
  html.replace(/src="(media\/[^"]+)"/g, (hit, name: string) => {
    const address = addresses.get(name);
    return address ? `src="${address}"` : hit;
  });

/** The same in all texts of a question. The answers of choices are letters and hold no picture. */
export const illustrated = <Q extends CheckedQuestion>(question: Q, addresses: ReadonlyMap<string, string>): Q => {
  const put = (html: string) => withAddresses(html, addresses);
  return {
    ...question,
    topic: put(question.topic),
    options: Object.fromEntries(Object.entries(question.options).map(([letter, text]) => [letter, put(text)])),
    rightAnswer: put(question.rightAnswer),
    analysis: put(question.analysis),
    points: question.points.map((point) => ({ ...point, text: put(point.text) })),
  };
};

/**
 * Puts the served addresses of pictures where the texts of a pack still name files of its folder.
 * @param addresses by the name that texts use, `media/name.svg`
 */
export function withPictureAddresses(pack: CheckedPack, addresses: ReadonlyMap<string, string>): CheckedPack {
  if (addresses.size === 0) return pack;
  const put = (html: string) => withAddresses(html, addresses);
  return {
    ...pack,
    description: put(pack.description),
    teachers: pack.teachers.map((one) => ({ ...one, picture: addresses.get(one.picture) ?? one.picture })),
    cases: pack.cases.map((material) => ({ ...material, text: put(material.text) })),
    lessons: pack.lessons.map((lesson) => ({
      ...lesson,
      poster: addresses.get(lesson.poster) ?? lesson.poster,
      profile: put(lesson.profile),
      text: put(lesson.text),
    })),
    questions: pack.questions.map((question) => illustrated(question, addresses)),
  };
}

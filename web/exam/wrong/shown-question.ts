import type { Data } from '#web/lib/send.ts';

type WrongLine = Data<'GET /api/exam/error'>['list'][number];
type CollectedLine = Data<'GET /app/exam/collection'>['list'][number];

/** A question of the list or of the collection, as the card shows it. */
export interface ShownQuestion {
  question: WrongLine['question'];
  chapterName: string;
  onOffer: number;
  note: string;
  collected: number;
  /** Of the wrong-question list; null: it is in the collection alone. */
  wrong: Pick<WrongLine, 'timesWrong' | 'guessed' | 'rightStreak' | 'lastAt' | 'examName' | 'state'> | null;
  /** Its key may not be told now. */
  withheld: boolean;
}

export const fromWrong = ({ question, chapterName, onOffer, note, collected, ...wrong }: WrongLine): ShownQuestion => ({
  question,
  chapterName,
  onOffer,
  note,
  collected,
  wrong,
  withheld: false,
});

export const fromCollected = ({ question, chapterName, onOffer, note }: CollectedLine): ShownQuestion => ({
  question,
  chapterName,
  onOffer,
  note,
  collected: 1,
  wrong: null,
  withheld: question.showAnswerFlag === 0,
});

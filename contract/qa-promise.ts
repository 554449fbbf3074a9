import { Type } from 'typebox';
import { call, Nullable, OneOf } from './call.ts';
import { promiseKinds } from './values/answer-promise.ts';

export const AnswerPromise = call('GET /app/qa/promise', {
  says: 'By when a question that is asked now is answered, in China’s time and working days.',
  source: 'spec §9 Answer time message; decisions §6',
  who: 'visitor',
  input: Type.Object({}),
  data: Type.Object({
    kind: OneOf(promiseKinds, {
      description: 'which words of contract/values/answer-promise.ts it has, for other languages',
    }),
    promisedAt: Nullable(
      Type.Integer({
        description: 'epoch milliseconds; null: the working days of that year are not known, nothing is promised',
      }),
    ),
    date: Type.String({
      description: 'the day of `promisedAt`, YYYY-MM-DD; in a holiday the day on which Q&A is back; or empty',
    }),
    holiday: Type.String({ description: 'the public holiday that it is today; or empty' }),
    text: Type.String({ description: 'the whole sentence, in Chinese' }),
  }),
});

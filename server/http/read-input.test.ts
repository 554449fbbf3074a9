import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Id, Nullable } from '#contract/call.ts';
import { inputReader } from './read-input.ts';

const schema = Type.Object({
  id: Id,
  page: Type.Integer({ default: 1 }),
  flag: Type.Optional(Type.Integer()),
  share: Type.Optional(Type.Number()),
  target: Type.Optional(Nullable(Id)),
  ids: Type.Optional(Type.Array(Id)),
  answers: Type.Optional(Type.Array(Type.Object({ questionId: Id, answer: Type.String() }))),
  name: Type.Optional(Type.String()),
  text: Type.String({ maxLength: 10 }),
});

function read(input: unknown, isQuery = false): unknown {
  inputReader(schema, isQuery)(input);
  return input;
}

describe('reading an input', () => {
  it.each<[string, object, object]>([
    ['a whole number', { id: '12' }, { id: 12 }],
    ['a number that is one', { id: 12 }, { id: 12 }],
    ['decimals where decimals may be', { share: '2.5' }, { share: 2.5 }],
    ['a number or null', { target: '7' }, { target: 7 }],
    ['null', { target: null }, { target: null }],
    ['numbers in a list', { ids: ['1', 2] }, { ids: [1, 2] }],
    [
      'numbers in a list of objects, texts as they are',
      { answers: [{ questionId: '3', answer: '4' }] },
      { answers: [{ questionId: 3, answer: '4' }] },
    ],
  ])('takes %s', (_, sent, meant) => {
    expect(read(sent)).toEqual(meant);
  });

  it.each(['', ' ', ' 1', '1 ', '1.5', '1e3', '0x10', '１２', 'abc', '9'.repeat(17), true, null, [], ['1'], {}])(
    'leaves %j to be refused where a whole number stands',
    (value) => {
      expect(read({ id: value })).toEqual({ id: value });
    },
  );

  it('leaves texts alone that look like numbers', () => {
    expect(read({ name: '985', text: '1' })).toEqual({ name: '985', text: '1' });
  });

  it('reads the line break of Windows as any other', () => {
    const [sent, meant] = ['一\r\n二\r三\n', '一\n二\r三\n'];
    const answers = (answer: string) => ({ answers: [{ questionId: 1, answer }] });
    expect(read({ text: sent, ...answers(sent) })).toEqual({ text: meant, ...answers(meant) });
  });

  it('takes NUL, which no database holds, out of every text', () => {
    const [sent, meant] = ['\u0000一\r\u0000\n', '一\n'];
    const answers = (answer: string) => ({ answers: [{ questionId: 1, answer }] });
    expect(read({ text: sent, ...answers(sent) })).toEqual({ text: meant, ...answers(meant) });
    expect(read({ name: '\u0000', text: '' }, true)).toEqual({ name: '', text: '' });
  });

  it('drops what is empty in a query where it may be left out, and only there', () => {
    const sent = { id: '', page: '', flag: '', name: '', text: '' };
    expect(read({ ...sent }, true)).toEqual({ id: '', text: '' });
    expect(read({ ...sent })).toEqual(sent);
  });

  it.each([null, 'text', 7, [], [['1']]])('leaves %j as it is', (value) => {
    expect(read(value, true)).toEqual(value);
  });
});

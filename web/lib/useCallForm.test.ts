import { expect, it } from 'vitest';
import { CallError } from './send.ts';
import { faultyField } from './useCallForm.ts';

const values = { phone: '', password: '' };
const byWhy = ({ why }: CallError) => (why === 'loginWrong' ? ('password' as const) : undefined);

it.each([
  ['at the field that the server names', new CallError(422, 'phoneWrong', '…', { field: 'phone' }), 'phone'],
  ['at the form, when the server names none', new CallError(429, 'tooMany', '…'), null],
  ['at the form, when the form has no such field', new CallError(400, 'badInput', '…', { field: 'ticket' }), null],
  [
    'at the form, when the name is one of every object',
    new CallError(400, 'badInput', '…', { field: 'toString' }),
    null,
  ],
  ['at the field that the form knows better', new CallError(422, 'loginWrong', '…'), 'password'],
  ['at the form, without an answer', new CallError(0, 'offline', '…'), null],
])('shows a refusal %s', (_, refusal, place) => {
  expect(faultyField(refusal, values, byWhy)).toBe(place);
});

it('needs nobody to say which field, when the server does', () => {
  expect(faultyField(new CallError(422, 'passwordWeak', '…', { field: 'password' }), values)).toBe('password');
});

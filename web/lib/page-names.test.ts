import { expect, it } from 'vitest';
import { pageName } from './page-names.ts';

const page = { name: '课程', instead: false };
const none = { name: '没有这个页面', instead: true };

it.each([
  ['before anything has said so', [], null],
  ['a page', [page], '课程'],
  ['of two pages the one that came last', [page, { name: '通知', instead: false }], '通知'],
  ['a page without a name of its own', [{ name: '', instead: false }], ''],
  ['an address that is none, known before the server was asked', [none, page], '没有这个页面'],
  ['an address that is none, said by the server', [page, none], '没有这个页面'],
  ['the page again, once there is one at the address', [page], '课程'],
])('%s', (_, namings, name) => expect(pageName(namings)).toBe(name));

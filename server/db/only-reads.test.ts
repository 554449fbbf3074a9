import { expect, it } from 'vitest';
import { onlyReads } from './only-reads.ts';

it.each([
  ['select 1', true],
  ['  SELECT "id" from "t"', true],
  ['with "given"("a", "b") as (values (?, ?), (?, ?)) select * from "given"', true],
  ['with "given"("a", "b") as (select * from unnest($1::bigint[], $2::text[])) select * from "given"', true],
  ['with "given"("a") as (values (?)) insert into "t" select a from given where true', false],
  ['with "given"("a") as (select * from unnest($1::bigint[])) update "t" set "a" = 1', false],
  ['with "x" as (insert into t values (1) returning a) select * from x', false],
  ['insert into t values (1)', false],
  ['selected', false],
  ['begin', false],
  ['commit', false],
  ['pragma journal_mode = delete', false],
  ['', false],
])('onlyReads(%s) is %s', (text, expected) => {
  expect(onlyReads(text)).toBe(expected);
});

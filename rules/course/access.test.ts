import { describe, expect, it } from 'vitest';
import type { Role } from '#contract/values/user.ts';
import { type Access, mayGoOn, mayOpen, maySeeFile, type PackFacts } from './access.ts';

const said = (access: Access) => (access.ok ? 'ok' : access.why);

describe('a pack, or a thing in it', () => {
  it.each<[what: string, pack: PackFacts | null, open: string, goOn: string]>([
    ['is not there', null, 'notFound', 'notFound'],
    ['on offer, enrolled', { archived: false, enrolled: true }, 'ok', 'ok'],
    ['on offer, not enrolled', { archived: false, enrolled: false }, 'notEnrolled', 'notEnrolled'],
    ['taken out, enrolled', { archived: true, enrolled: true }, 'notFound', 'ok'],
    ['taken out, not enrolled: not even its name is told', { archived: true, enrolled: false }, 'notFound', 'notFound'],
  ])('%s', (_what, pack, open, goOn) => {
    expect([said(mayOpen(pack)), said(mayGoOn(pack))]).toEqual([open, goOn]);
  });
});

describe('a stored file', () => {
  const pack = (open: 0 | 1, enrolled: 0 | 1) => ({ open: open === 1, enrolled: enrolled === 1 });
  it.each<[what: string, role: Role, packs: { open: boolean; enrolled: boolean }[], hasRecord: boolean, said: string]>([
    ['of no pack', 'student', [], false, 'ok'],
    ['of a pack one is not in', 'student', [pack(0, 0)], false, 'notEnrolled'],
    ['of a pack one is not in, for a teacher', 'teacher', [pack(0, 0)], false, 'ok'],
    ['of a pack one is enrolled in', 'student', [pack(0, 1)], false, 'ok'],
    ['in the description of a pack', 'student', [pack(1, 0)], false, 'ok'],
    ['of two packs, enrolled in one', 'student', [pack(0, 0), pack(0, 1)], false, 'ok'],
    ['of two packs, described in one', 'student', [pack(1, 0), pack(0, 0)], false, 'ok'],
    ['of two packs, in neither', 'student', [pack(0, 0), pack(0, 0)], false, 'notEnrolled'],
    ['of a pack one has left with a record', 'student', [pack(0, 0)], true, 'ok'],
  ])('%s', (_what, role, packs, hasRecord, expected) => {
    expect(said(maySeeFile({ role, packs, hasRecord }))).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import type { Role } from '#contract/values/user.ts';
import { type Access, mayGoOn, mayOpen, type PackFacts, whoSeesFile } from './access.ts';

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
  const pack = (open: 0 | 1, enrolled: 0 | 1, archived: 0 | 1 = 0) => ({
    open: open === 1,
    enrolled: enrolled === 1,
    archived: archived === 1,
  });
  it.each<[what: string, role: Role | null, packs: ReturnType<typeof pack>[], hasRecord: boolean, seenBy: string]>([
    ['of no pack', 'student', [], false, 'nobody'],
    ['of no pack, for a teacher', 'teacher', [], false, 'nobody'],
    ['of no pack, for someone with records', 'student', [], true, 'nobody'],
    ['of a pack, for a visitor', null, [pack(0, 0)], false, 'nobody'],
    ['of a pack one is not in', 'student', [pack(0, 0)], false, 'nobody'],
    ['of a pack one is not in, for a teacher', 'teacher', [pack(0, 0)], false, 'thisPerson'],
    ['of a pack one is enrolled in', 'student', [pack(0, 1)], false, 'thisPerson'],
    ['of a withdrawn pack one is enrolled in', 'student', [pack(0, 1, 1)], false, 'thisPerson'],
    ['in the description of a pack', 'student', [pack(1, 0)], false, 'everybody'],
    ['in the description of a pack, for a visitor', null, [pack(1, 0)], false, 'everybody'],
    ['in the description of a withdrawn pack', 'student', [pack(1, 0, 1)], false, 'nobody'],
    ['in the description of a withdrawn pack, for a visitor', null, [pack(1, 0, 1)], false, 'nobody'],
    ['in the description of a withdrawn pack one is enrolled in', 'student', [pack(1, 1, 1)], false, 'thisPerson'],
    ['of two packs, enrolled in one', 'student', [pack(0, 0), pack(0, 1)], false, 'thisPerson'],
    ['of two packs, described in one', 'student', [pack(1, 0), pack(0, 0)], false, 'everybody'],
    ['of two packs, in neither', 'student', [pack(0, 0), pack(0, 0)], false, 'nobody'],
    ['of a pack one has left with a record', 'student', [pack(0, 0)], true, 'thisPerson'],
  ])('%s', (_what, role, packs, hasRecord, expected) => {
    expect(whoSeesFile({ role, packs, hasRecord })).toBe(expected);
  });
});

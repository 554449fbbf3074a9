import { describe, expect, it } from 'vitest';
import { noticeKinds, noticeTexts, noticeTopics, topicOfKind } from '#contract/values/notice.ts';
import { announcementState, checkAnnouncement, isTold, secondsToClose } from './announcement.ts';

const DAY = 86_400_000;

describe('who is told of what', () => {
  const mustCome = [
    'announcement',
    'timeGiven',
    'recordReopened',
    'qaHidden',
    'qaHiddenUnsaid',
    'qaReleased',
    'orderPaid',
    'orderReturned',
    'orderRefunded',
    'orderEnded',
    'refundDeclined',
    'invoiceIssued',
    'invoiceDeclined',
  ];

  it.each(noticeKinds.map((kind) => [kind, topicOfKind[kind] ?? null] as const))('%s: %s', (kind, topic) => {
    expect(isTold(kind, new Set())).toBe(true);
    // Whoever wants nothing is told what must come, and nothing else.
    expect(isTold(kind, new Set(noticeTopics))).toBe(mustCome.includes(kind));
    if (topic !== null) {
      expect(isTold(kind, new Set([topic]))).toBe(false);
      expect(isTold(kind, new Set(noticeTopics.filter((other) => other !== topic)))).toBe(true);
    }
    expect(noticeTexts[kind].name).not.toBe('');
  });

  it('has no topic that tells of nothing', () => {
    expect([...new Set(Object.values(topicOfKind))].sort()).toEqual([...noticeTopics].sort());
  });
});

describe('how an announcement stands', () => {
  it.each([
    [99, null, 'planned'],
    [100, null, 'shown'],
    [199, null, 'shown'],
    [200, null, 'over'],
    [99, 50, 'withdrawn'],
    [150, 150, 'withdrawn'],
    [300, 150, 'withdrawn'],
  ] as const)('at %d, withdrawn at %s: %s', (now, withdrawnAt, state) => {
    expect(announcementState({ fromAt: 100, untilAt: 200, withdrawnAt }, now)).toBe(state);
  });
});

describe('what may be announced', () => {
  const now = 1000 * DAY;
  const asked = { name: '放假', content: '国庆放假七天', untilAt: now + DAY };
  const fault = (why: string, field: string) => ({ ok: false, why, field });
  it.each([
    [{}, { ok: true, name: '放假', content: '国庆放假七天', fromAt: now, untilAt: now + DAY }],
    [
      { name: ' 放\u0000假\n通知 ', content: ' 一\r\n二 ' },
      { name: '放假 通知', content: '一\n二' },
    ],
    [{ fromAt: now - DAY }, { fromAt: now }],
    [{ fromAt: now + 5 }, { fromAt: now + 5 }],
    [{ name: ' \u0000 ' }, fault('announceNoName', 'name')],
    [{ name: '😀'.repeat(50) }, { ok: true }],
    [{ name: '😀'.repeat(51) }, fault('textTooLong', 'name')],
    [{ content: '\n' }, fault('announceNoContent', 'content')],
    [{ content: '😀'.repeat(2000) }, { ok: true }],
    [{ content: 'a'.repeat(2001) }, fault('textTooLong', 'content')],
    [{ untilAt: now }, fault('announceTimes', 'untilAt')],
    [{ fromAt: now + DAY }, fault('announceTimes', 'untilAt')],
    [{ untilAt: now + 366 * DAY }, { ok: true }],
    [{ untilAt: now + 366 * DAY + 1 }, fault('announceTimes', 'untilAt')],
  ])('%j', (change, says) => {
    expect(checkAnnouncement({ ...asked, ...change }, now)).toMatchObject(says);
  });
});

describe('the countdown of the dialog', () => {
  it.each([
    [-50, 5],
    [0, 5],
    [1, 5],
    [999, 5],
    [1000, 4],
    [4001, 1],
    [4999, 1],
    [5000, 0],
    [60_000, 0],
  ])('after %d ms: %d s', (openFor, seconds) => {
    expect(secondsToClose(openFor)).toBe(seconds);
  });
});

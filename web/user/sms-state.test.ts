import { describe, expect, it } from 'vitest';
import { type SmsEvent, smsNext, smsStart, waitSeconds } from './sms-state.ts';

const play = (...events: SmsEvent[]) => events.reduce(smsNext, smsStart);
const sent: SmsEvent = { type: 'sent', to: '13800000001', resendAfter: 60, demoCode: '123456', now: 5_000 };

describe('asking for an SMS code', () => {
  it('sends only with the slider’s ticket', () => {
    expect(play({ type: 'ticket' })).toEqual(smsStart);
    expect(play({ type: 'ask' }).phase).toBe('slider');
    expect(play({ type: 'ask' }, { type: 'ticket' }).phase).toBe('sending');
  });

  it('cannot be asked for twice at once', () => {
    const sending = play({ type: 'ask' }, { type: 'ticket' });
    expect(smsNext(sending, { type: 'ask' })).toBe(sending);
  });

  it('counts down to the next one', () => {
    const state = play({ type: 'ask' }, { type: 'ticket' }, sent);
    expect([state.phase, state.sentTo, state.demoCode]).toEqual(['ready', '13800000001', '123456']);
    expect([
      waitSeconds(state, 5_000),
      waitSeconds(state, 64_001),
      waitSeconds(state, 65_000),
      waitSeconds(state, 99_000),
    ]).toEqual([60, 1, 0, 0]);
  });

  it('shows the slider again when its ticket was too old, and any other refusal as a sentence', () => {
    expect(play({ type: 'ask' }, { type: 'ticket' }, { type: 'failed', why: 'ticketNeeded', msg: 'x' })).toMatchObject({
      phase: 'slider',
      error: null,
    });
    const failed = play({ type: 'ask' }, { type: 'ticket' }, { type: 'failed', why: 'smsTooSoon', msg: '太频繁' });
    expect([failed.phase, failed.error]).toEqual(['ready', '太频繁']);
    expect(smsNext(failed, { type: 'typed' }).error).toBeNull();
  });

  it('is ready again when the slider is closed', () => {
    expect(play({ type: 'ask' }, { type: 'sliderClosed' })).toEqual(smsStart);
  });
});

/**
 * Asking for an SMS code (decisions §7): the slider first, then the code is sent with the slider's ticket, then a wait
 * before another one may be asked for.
 */
interface SmsState {
  readonly phase: 'ready' | 'slider' | 'sending';
  /** Moment (milliseconds) from which another code may be asked for. */
  readonly resendAt: number;
  /** The phone the last code went to, as it was typed. */
  readonly sentTo: string | null;
  /** The code itself: only demonstration sites answer with it. */
  readonly demoCode: string | null;
  readonly error: string | null;
}
export type SmsEvent =
  | { type: 'ask' }
  | { type: 'sliderClosed' }
  | { type: 'ticket' }
  | { type: 'sent'; to: string; resendAfter: number; demoCode: string | null; now: number }
  | { type: 'failed'; why: string; msg: string }
  | { type: 'typed' };

export const smsStart: SmsState = { phase: 'ready', resendAt: 0, sentTo: null, demoCode: null, error: null };

/**
 * What the asking becomes: the slider opens only when nothing is under way, its ticket sends, and a code that was sent
 * starts the wait (`waitSeconds`). Times are milliseconds of the page's own clock (`now`), `resendAfter` seconds.
 */
export function smsNext(state: SmsState, event: SmsEvent): SmsState {
  switch (event.type) {
    case 'ask':
      return state.phase === 'ready' ? { ...state, phase: 'slider', error: null } : state;
    case 'sliderClosed':
      return state.phase === 'slider' ? { ...state, phase: 'ready' } : state;
    case 'ticket':
      return state.phase === 'slider' ? { ...state, phase: 'sending' } : state;
    case 'sent':
      return {
        phase: 'ready',
        resendAt: event.now + event.resendAfter * 1000,
        sentTo: event.to,
        demoCode: event.demoCode,
        error: null,
      };
    case 'failed':
      // A ticket that ran out while the request was on its way: the slider simply opens again.
      if (event.why === 'ticketNeeded') return { ...state, phase: 'slider' };
      return { ...state, phase: 'ready', error: event.msg };
    case 'typed':
      return state.error === null ? state : { ...state, error: null };
  }
}

/** Whole seconds to wait before another code may be asked for, 0 when one may be. */
export function waitSeconds(state: SmsState, now: number): number {
  return Math.max(0, Math.ceil((state.resendAt - now) / 1000));
}

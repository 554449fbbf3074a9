import { describe, expect, it } from 'vitest';
import { go, sit } from './session.test-kit.ts';

describe('moving', () => {
  it('toasts at both edges of an exam', () => {
    const exam = sit().do(go(-1));
    exam.do(go(4), go(5));
    expect(exam.toasts()).toEqual(['当前是第一题，没有上一题了哟！', '没有下一题了呦！']);
    expect(exam.state.dialog).toBeNull();
    expect(exam.state.current).toBe(4);
  });

  it('asks for the chapter-finish dialog at the end of practice and recite', () => {
    const practice = sit({ examMode: -1, mayReveal: true }, [], 4).do(go(5));
    expect(practice.state.dialog).toBe('finish');
    const recite = sit({ examMode: -1, mayReveal: true }, [], 4).do({ type: 'mode', questionMode: 2 }, go(5));
    expect([recite.state.dialog, recite.toasts()]).toEqual(['finish', []]);
  });
});

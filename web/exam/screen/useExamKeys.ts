import { useEffect } from 'react';
import { byLetters, lettersOf } from '../paper.ts';
import { changeTime } from '../session/change-time.ts';
import { currentQuestion, type ExamEvent, type ExamState, type ShownRecord } from '../session/exam-model.ts';
import { letterKeysAct } from './letter-keys.ts';

/** What a key does on the question screen, or null: A–H or 1–8 choose, ←/→ move, Enter next, M marks, L calls a guess, ? shows the keys. */
export function keyEvent(key: string, state: ExamState, now: number): ExamEvent | null {
  if (key === 'ArrowLeft') return { type: 'go', to: state.current - 1 };
  if (key === 'ArrowRight' || key === 'Enter') return { type: 'go', to: state.current + 1 };
  if (key === '?' || key === '？') return { type: 'dialog', dialog: 'keys' };
  if (key.toLowerCase() === 'm') return { type: 'marked', mark: 'flag' };
  if (key.toLowerCase() === 'l') return { type: 'marked', mark: 'guess' };
  const question = currentQuestion(state);
  if (!question || !byLetters(question.questionTypesId)) return null;
  const letters = lettersOf(question.options);
  const letter = /^[1-8]$/.test(key) ? letters[Number(key) - 1] : key.toUpperCase();
  return letter !== undefined && letters.includes(letter) ? { type: 'chosen', letter, now } : null;
}

/** Listens to the keys of the question screen; not while typing, not under a dialog, not with Ctrl, Alt or Meta, and letters not where they are turned off. In a list only ? acts. */
export function useExamKeys(exam: ShownRecord, single = true): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented && event.key !== 'Enter') return;
      if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || isTyping(event.target)) return;
      if (exam.getState().dialog !== null || document.querySelector('[aria-modal="true"]')) return;
      if (event.key === 'Enter' && isControl(event.target)) return;
      // One sign is a letter, a number or a mark; every other key has a name.
      if (event.key.length === 1 && !letterKeysAct()) return;
      // A held key must not run through the paper, nor toggle an option back and forth.
      if (event.repeat && !event.key.startsWith('Arrow')) return;
      const does = keyEvent(event.key, exam.getState(), changeTime());
      if (does === null || (!single && does.type !== 'dialog')) return;
      event.preventDefault();
      exam.dispatch(does);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [exam, single]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])');
}

/** Whether Enter belongs to what has the focus. An option is not: it is chosen by Space, and Enter goes on. */
function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.matches('a, button:not([role="radio"], [role="checkbox"]), [role="button"]')
  );
}

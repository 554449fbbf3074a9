import { describe, expect, it } from 'vitest';
import { type SearchEvent, searchNext, searchOn, suggesting } from './search-state.ts';

const play = (events: SearchEvent[], name = '') => events.reduce(searchNext, searchOn(name));

describe('search box', () => {
  it('asks for what is typed', () => {
    const state = play([{ type: 'focus' }, { type: 'typed', text: ' 北京 ' }]);
    expect([state.text, state.keyword, suggesting(state)]).toEqual([' 北京 ', '北京', true]);
  });

  it('asks for nothing while a composition is under way, and for its text at the end', () => {
    const during = play([
      { type: 'focus' },
      { type: 'compositionStart' },
      { type: 'typed', text: 'b' },
      { type: 'typed', text: 'bei' },
      { type: 'typed', text: 'beijing' },
    ]);
    expect([during.text, during.keyword, suggesting(during)]).toEqual(['beijing', '', false]);
    const after = searchNext(during, { type: 'compositionEnd', text: '北京' });
    expect([after.text, after.keyword, suggesting(after)]).toEqual(['北京', '北京', true]);
  });

  it('hides earlier suggestions while a composition adds to the text', () => {
    const state = play([
      { type: 'focus' },
      { type: 'typed', text: '北京' },
      { type: 'compositionStart' },
      { type: 'typed', text: '北京da' },
    ]);
    expect([state.keyword, suggesting(state)]).toEqual(['北京', false]);
  });

  it('shows on focus and hides on blur', () => {
    const blurred = play([{ type: 'blur' }], '北京');
    expect(suggesting(blurred)).toBe(false);
    expect(suggesting(searchNext(blurred, { type: 'focus' }))).toBe(true);
  });

  it('takes what a composition left behind when the focus goes', () => {
    const state = play([{ type: 'compositionStart' }, { type: 'typed', text: 'bei' }, { type: 'blur' }]);
    expect([state.keyword, state.composing]).toEqual(['bei', false]);
  });

  it('suggests nothing for an empty text', () => {
    const state = play([{ type: 'focus' }, { type: 'typed', text: '北' }, { type: 'typed', text: '' }]);
    expect([state.keyword, suggesting(state)]).toEqual(['', false]);
  });

  it('fills in the chosen name and closes', () => {
    const state = play([{ type: 'focus' }, { type: 'typed', text: 'bjdx' }, { type: 'choose', name: '北京大学' }]);
    expect(state).toEqual(searchOn('北京大学'));
  });

  it('moves through the suggestions and back to the text', () => {
    const down = { type: 'move', by: 1, count: 2 } as const;
    const up = { type: 'move', by: -1, count: 2 } as const;
    const typed = { type: 'typed', text: '北' } as const;
    expect(play([typed, down]).active).toBe(0);
    expect(play([typed, down, down]).active).toBe(1);
    expect(play([typed, down, down, down]).active).toBe(-1);
    expect(play([typed, up]).active).toBe(1);
    expect(play([typed, { type: 'close' }, up]).active).toBe(1);
    expect(play([typed, { type: 'move', by: 1, count: 0 }]).active).toBe(-1);
  });

  it('forgets the place in the suggestions when the text changes', () => {
    const state = play([
      { type: 'typed', text: '北' },
      { type: 'move', by: 1, count: 2 },
      { type: 'typed', text: '北京' },
    ]);
    expect(state.active).toBe(-1);
  });

  it('follows a filter that was changed elsewhere, and leaves the box alone when it is its own', () => {
    const typed = play([{ type: 'focus' }, { type: 'typed', text: '北京 ' }]);
    expect(searchNext(typed, { type: 'filter', name: '北京' })).toBe(typed);
    expect(searchNext(typed, { type: 'filter', name: '' })).toEqual(searchOn(''));
  });
});

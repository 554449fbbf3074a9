import { describe, expect, it } from 'vitest';
import { empties, keywordOf, type SearchEvent, searchNext, searchOn, suggesting, waitingFor } from './search-state.ts';

const play = (events: SearchEvent[], name = '') => events.reduce(searchNext, searchOn(name));

describe('search box', () => {
  it('asks for what is typed', () => {
    const state = play([{ type: 'focus' }, { type: 'typed', text: ' 北京 ' }]);
    expect([state.text, keywordOf(state), waitingFor(state), suggesting(state)]).toEqual([
      ' 北京 ',
      '北京',
      '北京',
      true,
    ]);
  });

  it('asks for nothing while a composition is under way, and for its text at the end', () => {
    const during = play([
      { type: 'focus' },
      { type: 'compositionStart' },
      { type: 'typed', text: 'b' },
      { type: 'typed', text: 'bei' },
      { type: 'typed', text: 'beijing' },
    ]);
    expect([during.text, waitingFor(during), suggesting(during)]).toEqual(['beijing', null, false]);
    const after = searchNext(during, { type: 'compositionEnd', text: '北京' });
    expect([after.text, waitingFor(after), suggesting(after)]).toEqual(['北京', '北京', true]);
  });

  it('hides earlier suggestions while a composition adds to the text', () => {
    const state = play([
      { type: 'focus' },
      { type: 'typed', text: '北京' },
      { type: 'compositionStart' },
      { type: 'typed', text: '北京da' },
    ]);
    expect([waitingFor(state), suggesting(state)]).toEqual([null, false]);
  });

  it('shows on focus and hides on blur', () => {
    const blurred = play([{ type: 'blur' }], '北京');
    expect(suggesting(blurred)).toBe(false);
    expect(suggesting(searchNext(blurred, { type: 'focus' }))).toBe(true);
  });

  it('takes what a composition left behind when the focus goes', () => {
    const state = play([{ type: 'compositionStart' }, { type: 'typed', text: 'bei' }, { type: 'blur' }]);
    expect([waitingFor(state), state.composing]).toEqual(['bei', false]);
  });

  it('suggests nothing for an empty text', () => {
    const state = play([{ type: 'focus' }, { type: 'typed', text: '北' }, { type: 'typed', text: '' }]);
    expect([keywordOf(state), suggesting(state)]).toEqual(['', false]);
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

  it('keeps its text while the list follows it, and gives it up for a name that was set elsewhere', () => {
    const typed = play([{ type: 'focus' }, { type: 'typed', text: '北京 ' }]);
    const asked = searchNext(typed, { type: 'asked', name: '北京' });
    expect([asked.text, asked.inForce, asked.open, waitingFor(asked)]).toEqual(['北京 ', '北京', true, null]);
    const more = searchNext(asked, { type: 'typed', text: '北京 大' });
    expect([more.text, more.inForce, waitingFor(more)]).toEqual(['北京 大', '北京', '北京 大']);
    expect(searchNext(more, { type: 'changedElsewhere', name: '' })).toEqual(searchOn(''));
  });

  it('asks for nothing that is in force already', () => {
    expect(waitingFor(searchOn('北京'))).toBeNull();
    expect(waitingFor(play([{ type: 'typed', text: '北京 ' }], '北京'))).toBeNull();
    expect(waitingFor(play([{ type: 'typed', text: '北京 ' }, { type: 'search' }]))).toBeNull();
    expect(waitingFor(play([{ type: 'typed', text: '' }], '北京'))).toBe('');
  });

  it('closes when the search is pressed, and leaves the text as it is', () => {
    const state = play([{ type: 'typed', text: ' 北京' }, { type: 'search' }]);
    expect(state).toEqual({ ...searchOn('北京'), text: ' 北京' });
  });

  it.each([
    ['北', '', true],
    ['北', ' ', true],
    [' ', '', true],
    ['  ', ' ', false],
    ['', ' ', false],
    ['北', '北 ', false],
  ])('from “%s” to “%s” empties it: %s', (before, text, emptied) => {
    expect(empties(searchOn(before), text)).toBe(emptied);
  });

  it('a composition empties nothing before its end', () => {
    expect(empties(play([{ type: 'typed', text: '北' }, { type: 'compositionStart' }]), '')).toBe(false);
  });
});

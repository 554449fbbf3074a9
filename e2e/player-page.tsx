import '#ui/base.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Player, type PlayerProps } from '#ui/player/Player.tsx';
import type { Playback } from '#ui/player/playback-state.ts';

/** The page of player.e2e.ts (in-browser.ts): the player as a page of lessons shows it, and what it told that page. */
const box = document.getElementById('root');
if (!box) throw new Error('the page has no #root');
const screen = createRoot(box);

/** What the player said last, how it failed, and how often its right to play was renewed. */
export const told: { state: Playback | null; failures: string[]; renewals: number; languages: (string | null)[] } = {
  state: null,
  failures: [],
  renewals: 0,
  languages: [],
};

/** Shows the player. `headers` and `mayRenew` stand for the right to play; a name of a header is kept out of addresses. */
export function show(
  props: Partial<PlayerProps> & {
    url: string;
    ticket?: string;
    mayRenew?: boolean;
    again?: boolean;
    known?: [string, string][];
  },
): void {
  const { url, ticket, mayRenew, again, known, ...more } = props;
  let right = ticket ?? '';
  const source = {
    open: async () => {
      const all =
        known?.map(([part, text]): [string, string] => [new URL(part, window.location.href).href, text]) ?? [];
      return { url: new URL(url, window.location.href).href, known: new Map(all), begins: all[1]?.[0] ?? '' };
    },
    headers: () => ({ 'x-ticket': right }),
    renew: async () => {
      told.renewals += 1;
      right = 'renewed';
      return mayRenew === true;
    },
  };
  screen.render(
    <StrictMode>
      <MantineProvider>
        <div style={{ maxWidth: 960 }}>
          <Player
            key={String(again)}
            kind="video"
            source={source}
            duration={8}
            watermark="小砺 138****0001"
            nowPlaying={{ title: '导论', album: '课程' }}
            {...more}
            onChange={(state) => {
              told.state = state;
            }}
            onSubtitles={(language) => told.languages.push(language)}
            onFailure={(why) => told.failures.push(why)}
          />
        </div>
        <textarea aria-label="comment" />
        <button type="button">a button</button>
      </MantineProvider>
    </StrictMode>,
  );
}

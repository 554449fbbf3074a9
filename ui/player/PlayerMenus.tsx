import { Menu } from '@mantine/core';
import { IconSubtitles, IconSubtitlesOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import '../menu.css';
import { t } from '../words.ts';
import classes from './Player.module.css';
import { AUTO, type Playback, RATES } from './playback-state.ts';
import type { PlaybackControls } from './usePlayback.ts';

/** A text beside the film. */
export interface Subtitles {
  /** WebVTT; null: not to be asked for yet. */
  url: string | null;
  language: string;
  label: string;
}

interface Props {
  state: Playback;
  controls: PlaybackControls;
  subtitles: readonly Subtitles[];
  onSubtitles: (index: number | null) => void;
}

const NO_SUBTITLES = 'none';

/** What a button chooses, and what is chosen now. */
const named = (what: string, now?: string) => (now === undefined ? what : `${what} ${now}`);

/** Rate, quality and subtitles. The menus stand inside of the player: in full screen nothing else is seen. */
export function PlayerMenus({ state, controls, subtitles, onSubtitles }: Props) {
  const { rate, qualities, chosenQuality, quality } = state;
  const height = (index: number | null) => qualities.find((one) => one.index === index)?.height;
  const now = height(chosenQuality === AUTO ? quality : chosenQuality);
  const lines = now === undefined ? t('自动') : `${now}p`;
  const chosen = state.subtitles === null ? NO_SUBTITLES : String(state.subtitles);
  const SubtitleSign = state.subtitles === null ? IconSubtitlesOff : IconSubtitles;
  return (
    <>
      {subtitles.length > 0 && (
        <Choice
          label={named(t('字幕'), state.subtitles === null ? undefined : subtitles[state.subtitles]?.label)}
          shown={
            <>
              <span className={classes.inWords} data-on={state.subtitles !== null || undefined}>
                {t('字幕')}
              </span>
              <SubtitleSign className={classes.asIcon} size={20} stroke={1.7} aria-hidden />
            </>
          }
          value={chosen}
          choices={[
            [NO_SUBTITLES, t('关闭字幕')],
            ...subtitles.map(({ label }, index): [string, string] => [String(index), label]),
          ]}
          onChoose={(value) => onSubtitles(value === NO_SUBTITLES ? null : Number(value))}
        />
      )}
      <Choice
        label={named(t('播放速度'), `${rate}x`)}
        shown={`${rate}x`}
        value={String(rate)}
        choices={RATES.toReversed().map((value): [string, string] => [String(value), `${value}x`])}
        onChoose={(value) => controls.setRate(Number(value))}
      />
      {qualities.length > 1 && (
        <Choice
          label={named(t('清晰度'), lines)}
          shown={lines}
          value={String(chosenQuality)}
          choices={[
            ...qualities.toReversed().map(({ index, height: each }): [string, string] => [String(index), `${each}p`]),
            [String(AUTO), t('自动')],
          ]}
          onChoose={(value) => controls.chooseQuality(Number(value))}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  /** What the button chooses, and what is chosen now. */
  label: string;
  /** What stands on it. */
  shown: ReactNode;
  value: string;
  choices: readonly (readonly [value: string, word: string])[];
  onChoose: (value: string) => void;
}

function Choice({ label, shown, value, choices, onChoose }: ChoiceProps) {
  return (
    <Menu withinPortal={false} position="top" offset={10} width={120} classNames={{ dropdown: classes.menu ?? '' }}>
      <Menu.Target>
        <button type="button" className={classes.choice} aria-label={label}>
          {shown}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={value} onChange={onChoose}>
          <div className={classes.choices}>
            {choices.map(([one, text]) => (
              <Menu.RadioItem key={one} value={one} closeMenuOnClick>
                {text}
              </Menu.RadioItem>
            ))}
          </div>
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

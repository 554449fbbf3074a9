import { Menu } from '@mantine/core';
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

/** Rate, quality and subtitles. The menus stand inside of the player: in full screen nothing else is seen. */
export function PlayerMenus({ state, controls, subtitles, onSubtitles }: Props) {
  const { rate, qualities, chosenQuality, quality } = state;
  const height = (index: number | null) => qualities.find((one) => one.index === index)?.height;
  const now = height(chosenQuality === AUTO ? quality : chosenQuality);
  const chosen = state.subtitles === null ? NO_SUBTITLES : String(state.subtitles);
  return (
    <>
      {subtitles.length > 0 && (
        <Choice
          label={t('字幕')}
          word={t('字幕')}
          value={chosen}
          choices={[
            [NO_SUBTITLES, t('关闭字幕')],
            ...subtitles.map(({ label }, index): [string, string] => [String(index), label]),
          ]}
          onChoose={(value) => onSubtitles(value === NO_SUBTITLES ? null : Number(value))}
        />
      )}
      <Choice
        label={t('播放速度')}
        word={`${rate}x`}
        value={String(rate)}
        choices={RATES.toReversed().map((value): [string, string] => [String(value), `${value}x`])}
        onChoose={(value) => controls.setRate(Number(value))}
      />
      {qualities.length > 1 && (
        <Choice
          label={t('清晰度')}
          word={now === undefined ? t('自动') : `${now}p`}
          value={String(chosenQuality)}
          choices={[
            ...qualities.toReversed().map(({ index, height: lines }): [string, string] => [String(index), `${lines}p`]),
            [String(AUTO), t('自动')],
          ]}
          onChoose={(value) => controls.chooseQuality(Number(value))}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  /** What is chosen now, on the button. */
  word: string;
  value: string;
  choices: readonly (readonly [value: string, word: string])[];
  onChoose: (value: string) => void;
}

function Choice({ label, word, value, choices, onChoose }: ChoiceProps) {
  return (
    <Menu withinPortal={false} position="top" offset={10} width={120} classNames={{ dropdown: classes.menu ?? '' }}>
      <Menu.Target>
        <button type="button" className={classes.choice} aria-label={label === word ? label : `${label} ${word}`}>
          {word}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={value} onChange={onChoose}>
          {choices.map(([one, text]) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              {text}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

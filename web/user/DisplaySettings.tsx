import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import '#ui/segmented.css';
import { useId } from 'react';
import { toast } from '#ui/toast.ts';
import { type QuestionSize, setQuestionSize, useQuestionSize } from '#web/lib/display.ts';
import { type Language, languageName, setLanguage, t, useLanguage } from '#web/lib/t.ts';
import classes from './DisplaySettings.module.css';

/** Theme, language and size of question text: remembered by this browser, not by the account. */
export function DisplaySettings() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const language = useLanguage();
  const size = useQuestionSize();
  const changeLanguage = async (next: Language) => {
    try {
      await setLanguage(next);
    } catch {
      toast(t('网络连接不上，请检查网络后重试'), 'bad');
    }
  };
  return (
    <div className={classes.rows}>
      <Choice<MantineColorScheme>
        label={t('外观')}
        value={colorScheme}
        onChange={setColorScheme}
        choices={[
          ['auto', t('跟随系统')],
          ['light', t('浅色')],
          ['dark', t('深色')],
        ]}
      />
      <Choice<Language>
        label={t('语言')}
        value={language}
        onChange={(next) => void changeLanguage(next)}
        choices={[
          ['zh-CN', languageName('zh-CN')],
          ['en', languageName('en')],
        ]}
      />
      <Choice<`${QuestionSize}`>
        label={t('题目字号')}
        value={`${size}`}
        onChange={(next) => setQuestionSize(Number(next) as QuestionSize)}
        choices={[
          ['1', t('标准')],
          ['2', t('大')],
          ['3', t('特大')],
        ]}
      />
      <p className={classes.sample}>{t('下列各项中，说法正确的是（　）。')}</p>
    </div>
  );
}

interface ChoiceProps<V extends string> {
  label: string;
  value: V;
  choices: readonly (readonly [V, string])[];
  onChange: (value: V) => void;
}

function Choice<V extends string>({ label, value, choices, onChange }: ChoiceProps<V>) {
  const id = useId();
  return (
    <div className={classes.row}>
      <span id={id}>{label}</span>
      <SegmentedControl
        className={classes.control}
        aria-labelledby={id}
        value={value}
        onChange={(next) => onChange(next as V)}
        data={choices.map(([of, word]) => ({ value: of, label: word }))}
      />
    </div>
  );
}

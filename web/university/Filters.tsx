import { Button } from '@mantine/core';
import { useId } from 'react';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './Filters.module.css';
import { levelWord } from './levels.ts';
import { LEVELS, narrowed, type View } from './view.ts';

export type Provinces = Data<'GET /app/university/province_list'>;

interface Props {
  view: View;
  provinces: Provinces | undefined;
  /** Why the provinces are not there. */
  failed: string | null;
  /** Left out where another try cannot help. */
  onRetry: (() => void) | undefined;
  onChange: (next: View) => void;
}

/** Level and region (spec §2, §9). Each is a group of radio buttons: one tab stop, arrows choose. */
export function Filters({ view, provinces, failed, onRetry, onChange }: Props) {
  const group = useId();
  const choice = (
    name: string,
    value: string,
    word: string,
    checked: boolean,
    change: Parameters<typeof narrowed>[1],
  ) => (
    <label key={value} className={classes.choice}>
      <input
        type="radio"
        className={classes.radio}
        name={`${group}-${name}`}
        value={value}
        checked={checked}
        onChange={() => onChange(narrowed(view, change))}
      />
      <span lang={name === 'prov' && value !== '' ? 'zh-CN' : undefined}>{word}</span>
    </label>
  );
  return (
    <div className={classes.filters}>
      <fieldset className={classes.group}>
        <legend>{t('院校层次')}</legend>
        <div className={classes.levels}>
          {LEVELS.map((level) => choice('level', level, levelWord(level), view.level === level, { level }))}
        </div>
      </fieldset>
      <fieldset className={classes.group}>
        <legend>{t('所在地区')}</legend>
        <div className={classes.provinces}>
          {choice('prov', '', t('全部'), view.prov === '', { prov: '', city: '' })}
          {provinces?.map(({ prov }) => choice('prov', prov, prov, view.prov === prov, { prov }))}
        </div>
        {provinces === undefined && failed !== null && (
          <p className={classes.failed} role="alert">
            {failed}
            {onRetry && (
              <Button variant="default" size="xs" onClick={onRetry}>
                {t('重试')}
              </Button>
            )}
          </p>
        )}
      </fieldset>
    </div>
  );
}

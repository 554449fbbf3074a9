import { Button, NativeSelect } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react';
import '#ui/form.css';
import { formatCount } from '#web/lib/format.ts';
import { t } from '#web/lib/t.ts';
import type { Provinces } from './Filters.tsx';
import classes from './ListBar.module.css';
import { levelWord } from './levels.ts';
import { citiesOf, type PlaceGroup, sameAsProvince } from './province-city.ts';
import { isNarrowed, narrowed, type View } from './view.ts';

interface Props {
  view: View;
  provinces: Provinces | undefined;
  /** Null while nothing has arrived. */
  total: number | null;
  onChange: (next: View) => void;
  /** Opens the filters where they have no place beside the list. */
  onFilters: () => void;
}

/** Above the list: how many there are, what narrows them, the city, and on phones the way to the filters. */
export function ListBar({ view, provinces, total, onChange, onFilters }: Props) {
  const chips = [
    view.name !== '' && { word: t('“{name}”', { name: view.name }), change: { name: '' } },
    view.level !== 'all' && { word: levelWord(view.level), change: { level: 'all' as const } },
    view.prov !== '' && { word: view.prov, change: { prov: '', city: '' } },
    view.city !== '' && !sameAsProvince(view) && { word: view.city, change: { city: '' } },
  ].filter((chip) => chip !== false);
  const groups = citiesOf(view, provinces);
  const offered = groups.flatMap(({ places }) => places);
  /** By its position among the places offered; '' for all cities. */
  const pick = (value: string) => {
    const place = value === '' ? undefined : offered[Number(value)];
    onChange(narrowed(view, place ?? { city: '' }));
  };
  return (
    <div className={classes.bar}>
      <p className={classes.total} role="status">
        {total === null ? '' : t('共 {n} 所院校', { n: formatCount(total) })}
      </p>
      {isNarrowed(view) && (
        <ul className={classes.chips} aria-label={t('已选条件')}>
          {chips.map(({ word, change }) => (
            <li key={word}>
              <button
                type="button"
                className={classes.chip}
                aria-label={t('去掉条件 {word}', { word })}
                onClick={() => onChange(narrowed(view, change))}
              >
                {/* A place is Chinese whatever the interface speaks. */}
                <span lang={'prov' in change || 'city' in change ? 'zh-CN' : undefined}>{word}</span>
                <IconX size={14} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.tools}>
        <Button
          variant="default"
          className={classes.filters}
          leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
          aria-haspopup="dialog"
          onClick={onFilters}
        >
          {t('筛选')}
        </Button>
        {/* A municipality has one city, which says what the province says. */}
        {!(view.prov !== '' && offered.length > 0 && offered.every(sameAsProvince)) && (
          <NativeSelect
            aria-label={t('城市')}
            className={classes.city}
            value={
              view.city === '' ? '' : offered.findIndex(({ prov, city }) => prov === view.prov && city === view.city)
            }
            onChange={(event) => pick(event.currentTarget.value)}
          >
            <option value="">{t('全部城市')}</option>
            <Cities groups={groups} />
          </NativeSelect>
        )}
      </div>
    </div>
  );
}

/** The options of the city select; the value of each is its position among all places. */
function Cities({ groups }: { groups: readonly PlaceGroup[] }) {
  let position = 0;
  return groups.map(({ label, places }) => {
    const options = places.map(({ prov, city }) => (
      <option key={`${prov} ${city}`} value={position++} lang="zh-CN">
        {city}
      </option>
    ));
    return label === null ? (
      options
    ) : (
      <optgroup key={label} label={label}>
        {options}
      </optgroup>
    );
  });
}

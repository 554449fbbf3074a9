import { NativeSelect } from '@mantine/core';
import '#ui/form.css';
import type { PackPrice, PackSort } from '#contract/values/course.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './MarketFilters.module.css';
import type { MarketView } from './market-view.ts';

type Categories = Data<'GET /app/test/list_category'>['list'];

interface Props {
  view: MarketView;
  categories: Categories;
  /** Null while nothing has arrived. */
  total: number | null;
  onChange: (change: Partial<MarketView>) => void;
}

/** The big category that is chosen, itself or by one of its little ones. */
const bigOf = (categories: Categories, id: number | null) =>
  categories.find((big) => big.id === id || big.childes.some((little) => little.id === id));

/** What narrows the courses and in which order they stand. */
export function MarketFilters({ view, categories, total, onChange }: Props) {
  const big = bigOf(categories, view.category);
  return (
    <div className={classes.filters}>
      {categories.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as part of a form
        <div className={classes.bigs} role="group" aria-label={t('分类')}>
          <Choice on={view.category === null} word={t('全部')} onPress={() => onChange({ category: null })} />
          {categories.map(({ id, name }) => (
            <Choice key={id} on={big?.id === id} word={name} chinese onPress={() => onChange({ category: id })} />
          ))}
        </div>
      )}
      {big !== undefined && big.childes.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as part of a form
        <div className={classes.littles} role="group" aria-label={t('{name}的分类', { name: big.name })}>
          <Choice on={view.category === big.id} word={t('全部')} onPress={() => onChange({ category: big.id })} />
          {big.childes.map(({ id, name, packCount }) => (
            <Choice
              key={id}
              on={view.category === id}
              word={name}
              count={packCount}
              chinese
              onPress={() => onChange({ category: id })}
            />
          ))}
        </div>
      )}
      <div className={classes.tools}>
        <p className={classes.total} role="status">
          {total === null ? '' : t('共 {n} 门课程', { n: total })}
        </p>
        <div className={classes.checks}>
          <Check on={view.lessons} word={t('有课时')} onPress={(lessons) => onChange({ lessons })} />
          <Check on={view.exams} word={t('有试卷')} onPress={(exams) => onChange({ exams })} />
        </div>
        <NativeSelect
          aria-label={t('价格')}
          className={classes.select}
          value={view.price ?? ''}
          onChange={(event) => onChange({ price: (event.currentTarget.value || null) as PackPrice | null })}
        >
          <option value="">{t('全部价格')}</option>
          <option value="free">{t('免费')}</option>
          <option value="sale">{t('付费')}</option>
        </NativeSelect>
        <NativeSelect
          aria-label={t('排序')}
          className={classes.select}
          value={view.sort}
          onChange={(event) => onChange({ sort: event.currentTarget.value as PackSort })}
        >
          <option value="school">{view.keyword === '' ? t('默认排序') : t('最相关')}</option>
          <option value="newest">{t('最新上架')}</option>
          <option value="cheap">{t('价格从低到高')}</option>
          <option value="dear">{t('价格从高到低')}</option>
        </NativeSelect>
      </div>
    </div>
  );
}

interface ChoiceProps {
  on: boolean;
  word: string;
  count?: number;
  /** Its word is Chinese whatever the interface speaks. */
  chinese?: boolean;
  onPress: () => void;
}

function Choice({ on, word, count, chinese = false, onPress }: ChoiceProps) {
  return (
    <button type="button" aria-pressed={on} onClick={onPress}>
      <span lang={chinese ? 'zh-CN' : undefined}>{word}</span>
      {count !== undefined && <small>{count}</small>}
    </button>
  );
}

function Check({ on, word, onPress }: { on: boolean; word: string; onPress: (on: boolean) => void }) {
  return (
    <label className={classes.check}>
      <input type="checkbox" checked={on} onChange={(event) => onPress(event.currentTarget.checked)} />
      {word}
    </label>
  );
}

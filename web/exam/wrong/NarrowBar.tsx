import quiet from '#ui/quiet-select.module.css';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { typeNames } from '../paper.ts';
import classes from './NarrowBar.module.css';
import type { WrongFilter } from './wrong-filter.ts';

type Index = Data<'GET /app/exam/error_index'>;
type Options = Data<'GET /api/exam/error_opt'>;
type Node = Index['courses'][number]['chapters'][number];
type Change = { readonly [F in keyof WrongFilter]?: WrongFilter[F] | null };

interface Props {
  index: Index;
  options: Options | undefined;
  filter: WrongFilter;
  onChange: (change: Change) => void;
}

/** What the list is narrowed by, each choice with its count. */
export function NarrowBar({ index, options, filter, onChange }: Props) {
  const chapters = index.courses.flatMap(({ chapters: tops }) => tops.flatMap((top) => flat(top)));
  const named = (name: string, count: number) => `${name} (${count})`;
  const inCollection = filter.tab === 'collected';
  return (
    <div className={classes.bar}>
      {(chapters.length > 0 || filter.chapterId !== undefined) && (
        <Choice
          label={t('章节')}
          all={t('全部章节')}
          value={filter.chapterId}
          choices={chapters.map(({ id, name, level, count }) => [
            id,
            '　'.repeat(level - 1) + (filter.tab === 'in' ? named(name, count) : name),
          ])}
          onChange={(chapterId) => onChange({ chapterId })}
        />
      )}
      <Choice
        label={t('题型')}
        all={t('全部题型')}
        value={filter.questionTypesId}
        choices={
          inCollection
            ? Object.entries(typeNames).map(([type, name]) => [Number(type), t(name)])
            : (options?.types ?? []).map(({ questionTypesId, count }) => [
                questionTypesId,
                named(t(typeNames[questionTypesId] ?? ''), count),
              ])
        }
        onChange={(questionTypesId) => onChange({ questionTypesId })}
      />
      {!inCollection && (
        <>
          <Choice
            label={t('试卷')}
            all={t('全部试卷')}
            value={filter.examId}
            choices={(options?.exams ?? []).map(({ examId, examName, count }) => [examId, named(examName, count)])}
            onChange={(examId) => onChange({ examId })}
          />
          <Choice
            label={t('错误次数')}
            all={t('不限次数')}
            value={filter.timesWrong}
            choices={(options?.timesWrong ?? []).map(({ timesWrong, count }) => [
              timesWrong,
              named(t('错 {count} 次以上', { count: timesWrong }), count),
            ])}
            onChange={(timesWrong) => onChange({ timesWrong })}
          />
          <Choice
            label={t('蒙对')}
            all={t('答错和蒙对')}
            value={filter.guessed}
            choices={[[1, named(t('只看蒙对的'), options?.guessedCount ?? 0)]]}
            onChange={(guessed) => onChange({ guessed: guessed === null ? null : 1 })}
          />
          <Choice
            label={t('时间')}
            all={t('不限时间')}
            value={filter.days}
            choices={[7, 30, 90].map((days) => [days, t('最近 {days} 天', { days })])}
            onChange={(days) => onChange({ days })}
          />
          <label>
            <span className="unseen">{t('排序')}</span>
            <select
              className={quiet.select}
              value={filter.order ?? ''}
              onChange={(event) =>
                onChange({ order: event.currentTarget.value === 'timesWrong' ? 'timesWrong' : null })
              }
            >
              <option value="">{t('最近错的在前')}</option>
              <option value="timesWrong">{t('错得多的在前')}</option>
            </select>
          </label>
        </>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  value: number | undefined;
  choices: readonly (readonly [number, string])[];
  onChange: (value: number | null) => void;
}

/** One choice. What the address names stays chosen even when nothing is left of it. */
function Choice({ label, all, value, choices, onChange }: ChoiceProps) {
  return (
    <label>
      <span className="unseen">{label}</span>
      <select
        className={quiet.select}
        value={value ?? ''}
        data-set={value !== undefined || undefined}
        onChange={(event) => onChange(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))}
      >
        <option value="">{all}</option>
        {choices.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {value !== undefined && choices.every(([id]) => id !== value) && <option value={value}>{t('已筛选')}</option>}
      </select>
    </label>
  );
}

function flat(node: {
  id: number;
  name: string;
  level: number;
  count: number;
  childes: readonly Node[] | readonly unknown[];
}): {
  id: number;
  name: string;
  level: number;
  count: number;
}[] {
  return [node, ...(node.childes as Node[]).flatMap((child) => flat(child))];
}

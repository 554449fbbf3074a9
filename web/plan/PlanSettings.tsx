import { IconX } from '@tabler/icons-react';
import { PLAN_MOST } from '#contract/values/plan.ts';
import { Pills } from '#ui/Pills.tsx';
import quiet from '#ui/quiet-select.module.css';
import { toast } from '#ui/toast.ts';
import { type Data, failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './PlanSettings.module.css';
import { sayMinutes, weekdays } from './words.ts';

type Today = Data<'GET /app/plan/today'>;
type LeftOut = Today['leftOut'][number];

const CHOICES = [0, 15, 20, 30, 45, 60, 75, 90, 120, 150, 180, 240, 300, 360, 480, 600, PLAN_MOST];
/** The same on every day, in one press. */
const USUAL = [30, 60, 90, 120];

/** How the plan is made: minutes of each day of the week, which packs, what is left out. Every change is kept at once. */
export function PlanSettings({ today }: { today: Today }) {
  const renews = ['GET /app/plan/today'] as const;
  const minutes = useSend('POST /app/plan/minutes', { renews });
  const leave = useSend('POST /app/plan/leave_out', { renews });
  const { packs, leftOut } = today;
  // A change that is on its way counts already: the next one must not undo it.
  const weekMinutes = minutes.isPending ? minutes.variables.weekMinutes : today.weekMinutes;
  const [first = 0] = weekMinutes;
  const alike = weekMinutes.every((of) => of === first);
  const save = async (saving: Promise<unknown>) => {
    try {
      await saving;
      toast(t('计划已重新排好'), 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  const setWeek = (week: number[]) => void save(minutes.mutateAsync({ weekMinutes: week }));
  const setOut = (out: 0 | 1, { packId, kind, id }: Pick<LeftOut, 'packId' | 'kind' | 'id'>) =>
    void save(leave.mutateAsync({ out, list: [{ packId, kind, id }] }));
  const without = new Set(leftOut.flatMap(({ kind, packId }) => (kind === 'pack' ? [packId] : [])));
  const parts = leftOut.filter(({ kind }) => kind !== 'pack');
  return (
    <div className={classes.settings}>
      <section aria-labelledby="plan-minutes">
        <h3 id="plan-minutes" className={classes.title}>
          {t('每天学习多久')}
        </h3>
        <Pills
          label={t('每天一样')}
          value={alike ? first : -1}
          choices={USUAL.map((of) => [of, t('每天 {time}', { time: sayMinutes(of) })] as const)}
          onChoose={(of) => setWeek(weekMinutes.map(() => of))}
        />
        <ul className={classes.days}>
          {weekdays().map((name, day) => {
            const own = weekMinutes[day] ?? 0;
            return (
              <li key={name}>
                <label>
                  <span>{name}</span>
                  <select
                    className={quiet.select}
                    value={own}
                    data-set={own === 0 || undefined}
                    onChange={(event) => {
                      const of = Number(event.currentTarget.value);
                      setWeek(weekMinutes.map((before, at) => (at === day ? of : before)));
                    }}
                  >
                    {[...new Set([...CHOICES, own])]
                      .sort((a, b) => a - b)
                      .map((of) => (
                        <option key={of} value={of}>
                          {of === 0 ? t('休息') : sayMinutes(of)}
                        </option>
                      ))}
                  </select>
                </label>
              </li>
            );
          })}
        </ul>
      </section>
      <section aria-labelledby="plan-packs">
        <h3 id="plan-packs" className={classes.title}>
          {t('排进计划的课程')}
        </h3>
        <ul className={classes.packs}>
          {packs.map(({ packId, packName }) => (
            <li key={packId}>
              <label className={classes.pack}>
                <input
                  type="checkbox"
                  checked={!without.has(packId)}
                  onChange={(event) =>
                    setOut(event.currentTarget.checked ? 0 : 1, { packId, kind: 'pack', id: packId })
                  }
                />
                <span>{packName}</span>
              </label>
            </li>
          ))}
        </ul>
      </section>
      {parts.length > 0 && (
        <section aria-labelledby="plan-left-out">
          <h3 id="plan-left-out" className={classes.title}>
            {t('先不学的')}
          </h3>
          <ul className={classes.parts}>
            {parts.map((part) => (
              <li key={`${part.packId} ${part.kind} ${part.id}`}>
                <button type="button" onClick={() => setOut(0, part)}>
                  {part.name}
                  <IconX size={14} aria-hidden />
                  <span className="unseen">{t('（重新排进计划）')}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

import { IconCalendar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import quiet from '#ui/quiet-select.module.css';
import { toast } from '#ui/toast.ts';
import { serverNow } from '#web/lib/clock.ts';
import { dayInChina, formatDay } from '#web/lib/format.ts';
import { type Data, failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './ExamDates.module.css';
import { momentOf, sayHours } from './words.ts';

type Pack = Data<'GET /app/plan/today'>['packs'][number];

/** The exams of the packs: how many days are left, what is left to do until then, and their dates to be changed in place. */
export function ExamDates({ packs }: { packs: readonly Pack[] }) {
  return (
    <section className={classes.card} aria-labelledby="plan-exams">
      <h2 id="plan-exams" className={classes.title}>
        {t('考试日期')}
      </h2>
      <ul>
        {packs.map((pack) => (
          <ExamDate key={pack.packId} pack={pack} />
        ))}
      </ul>
    </section>
  );
}

function ExamDate({ pack }: { pack: Pack }) {
  const { packId, packName, examDate, ownExamDate, packExamDate, daysLeft } = pack;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const editor = useRef<HTMLDivElement>(null);
  /** Closes the editor; the keyboard goes back to what opened it, unless it is somewhere else by now. */
  const close = () => {
    const { activeElement: at } = document;
    if (at === document.body || editor.current?.contains(at)) button.current?.focus();
    setOpen(false);
  };
  const save = useSend('POST /app/exam/study_settings', {
    renews: ['GET /app/plan/today', 'GET /app/exam/daily_review', 'GET /app/exam/daily_reviews'],
  });
  const now = serverNow();
  const change = async (date: string | null) => {
    try {
      await save.mutateAsync({ packId, examDate: date });
      close();
      toast(t('计划已重新排好'), 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  const day = examDate === null ? t('设一个考试日期') : formatDay(momentOf(examDate), now);
  return (
    <li className={classes.pack}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h3>{packName}</h3>
          <p className={classes.facts}>{factsOf(pack, now)}</p>
        </div>
        {daysLeft !== null && daysLeft >= 0 && (
          <p className={classes.days} data-soon={daysLeft <= 30 || undefined}>
            {daysLeft === 0 ? (
              t('今天考试')
            ) : (
              <>
                <strong>{daysLeft}</strong> {t('天', { n: daysLeft })}
              </>
            )}
          </p>
        )}
      </div>
      <button
        ref={button}
        type="button"
        className={classes.date}
        aria-expanded={open}
        aria-label={t('{pack}的考试日期：{day}', { pack: packName, day })}
        onClick={() => setOpen(!open)}
      >
        <IconCalendar size={15} aria-hidden />
        {day}
      </button>
      {open && (
        <div ref={editor} className={classes.edit}>
          <input
            // biome-ignore lint/a11y/noAutofocus: it was just asked for
            autoFocus
            type="date"
            className={quiet.select}
            aria-label={t('考试日期')}
            defaultValue={examDate ?? ''}
            min={dayInChina(now)}
            onBlur={({ currentTarget: { value }, relatedTarget }) => {
              // Who goes back to the date of the pack has not chosen the one that stands there.
              if (relatedTarget !== null && editor.current?.contains(relatedTarget)) return;
              if (value !== '' && value !== examDate) void change(value);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                const { value } = event.currentTarget;
                if (value === '' || value === examDate) close();
                else event.currentTarget.blur();
              }
              if (event.key === 'Escape') {
                event.currentTarget.value = examDate ?? '';
                close();
              }
            }}
          />
          {ownExamDate !== null && (
            <button type="button" className={classes.back} onClick={() => void change(null)}>
              {packExamDate === null ? t('不设考试日期') : t('改回课程的日期')}
            </button>
          )}
        </div>
      )}
    </li>
  );
}

function factsOf({ planned, daysLeft, minutesLeft, finishDate, lackingMinutes }: Pack, now: number): string {
  if (daysLeft !== null && daysLeft < 0) return t('考试日期已过');
  if (planned === 0) return daysLeft === 0 ? t('祝您考试顺利') : t('没有排进计划');
  if (minutesLeft === 0) return t('内容都学完了，按时复习就好');
  const left = t('还要学 {time}', { time: sayHours(minutesLeft) });
  if (lackingMinutes > 0) return left;
  if (finishDate === null) return left;
  return t('{left}，约 {day} 学完一遍', { left, day: formatDay(momentOf(finishDate), now) });
}

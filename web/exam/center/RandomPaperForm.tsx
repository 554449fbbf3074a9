import { useQueryClient } from '@tanstack/react-query';
import { useReducer, useRef } from 'react';
import { useNavigate } from 'react-router';
import { OWN_PAPER_MOST, RANDOM_MINUTES } from '#contract/values/exam.ts';
import { confirm } from '#ui/confirm.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { randomName } from '#web/lib/random-name.ts';
import { CallError, failureText } from '#web/lib/send.ts';
import { msg, t, tIn } from '#web/lib/t.ts';
import { invalidate, useSend } from '#web/lib/useCall.ts';
import { typeNames } from '../paper.ts';
import { formatScore } from '../score.ts';
import { BankTree } from './BankTree.tsx';
import {
  type BankChapter,
  type Blueprint,
  type BlueprintStep,
  type BlueprintTotal,
  blueprintAfter,
  blueprintAgain,
  type LastBlueprint,
  type LineFault,
  rootsOf,
  totalOf,
} from './blueprint.ts';
import classes from './RandomPaperForm.module.css';

/** Papers of a length that many want. */
const QUICK = [10, 20, 50, 100] as const;

const whole: Readonly<Record<NonNullable<BlueprintTotal['why']>, string>> = {
  chapters: msg('请至少选择一个章节'),
  nothing: msg('请填写至少一种题型的题数'),
  tooMany: msg('一份试卷最多 {count} 题'),
  minutes: msg('考试时长须为 {least} 到 {most} 分钟'),
};

function sayFault(type: number, fault: LineFault): string {
  if (fault.why === 'count') return t('题数须为整数');
  if (fault.why === 'score') return t('每题分值须为 0.5 到 100 之间、以 0.5 为单位的数');
  return t('所选章节仅有 {count} 道{type}', { count: fault.has, type: t(typeNames[type] ?? '') });
}

/** A random paper to be written down, as the last one was: chapters, types with counts and points, minutes; what it comes to stays in sight. */
export function RandomPaperForm({
  packId,
  bank,
  last,
}: {
  packId: number;
  bank: readonly BankChapter[];
  last: LastBlueprint;
}) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [blueprint, act] = useReducer(
    (was: Blueprint, step: BlueprintStep) => blueprintAfter(bank, was, step),
    bank,
    (some) => blueprintAgain(some, last),
  );
  const total = totalOf(bank, blueprint);
  const make = useSend('POST /app/exam/random_paper');
  // One name until something else is asked for: a press that is sent again, or twice, makes one paper.
  const press = useRef({ of: '', name: '' });
  const ready = total.why === null && total.faults.size === 0;
  const all = bank.every(({ chapterId }) => blueprint.chosen.has(chapterId));

  const compose = async (then: (examId: number) => string) => {
    if (total.minutes === null) return;
    const wanted = { packId, chapterIds: rootsOf(bank, blueprint.chosen), lines: total.lines, examTime: total.minutes };
    const of = JSON.stringify(wanted);
    if (press.current.of !== of) press.current = { of, name: randomName() };
    const now = serverNow();
    const name = t('{list} {day}', { list: t('随机组卷'), day: formatMoment(now, now) });
    try {
      const { examId } = await make.mutateAsync({ ...wanted, name, requestId: press.current.name });
      press.current = { of: '', name: '' };
      void navigate(then(examId));
    } catch (error) {
      toast(failureText(error), 'bad');
      // The school has taken questions out meanwhile: what is there is asked for again.
      if (error instanceof CallError && error.why === 'bankTooSmall')
        await invalidate(client, 'GET /app/exam/random_options', { packId });
    }
  };
  const start = async () => {
    const yes = await confirm({
      title: t('开始随机组卷？'),
      text: t('共 {count} 题，限时 {minutes} 分钟。开始后计时不会停止，时间到自动交卷。', {
        count: total.questions,
        minutes: total.minutes ?? 0,
      }),
      yes: t('开始'),
      careful: true,
    });
    if (yes) await compose((examId) => paths.exam(examId));
  };

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !make.isPending) void start();
      }}
    >
      <p className={classes.lead}>
        {t(
          '从题库里随机抽题，优先抽没做过的题，其次是最久没做的题；同一材料的题放在一起。像模拟考试一样计时、评分，只有自己能看到。',
        )}
      </p>
      <section aria-labelledby="random-chapters">
        <div className={classes.head}>
          <h2 id="random-chapters">{tIn('tab', '章节')}</h2>
          <div className={classes.quick}>
            <button type="button" onClick={() => act({ type: 'all', on: !all })}>
              {all ? t('全部不选') : t('全选')}
            </button>
          </div>
        </div>
        <BankTree bank={bank} chosen={blueprint.chosen} onStep={act} />
      </section>
      <section aria-labelledby="random-types">
        <div className={classes.head}>
          <h2 id="random-types">{t('题型与分值')}</h2>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as part of the form */}
          <div className={classes.quick} role="group" aria-label={t('按题库比例分配')}>
            {QUICK.map((count) => (
              <button key={count} type="button" onClick={() => act({ type: 'spread', count })}>
                {t('{count} 题', { count })}
              </button>
            ))}
          </div>
        </div>
        <div className={classes.lines}>
          {total.rows.map((row) => (
            <Line key={row.type} row={row} fault={total.faults.get(row.type)} act={act} />
          ))}
        </div>
      </section>
      <section aria-labelledby="random-time">
        <div className={classes.head}>
          <h2 id="random-time">{t('考试时长')}</h2>
        </div>
        <label className={classes.field}>
          <span className="unseen">{t('考试时长')}</span>
          <input
            inputMode="numeric"
            maxLength={3}
            value={blueprint.minutes}
            aria-invalid={total.minutes === null || undefined}
            onChange={(event) => act({ type: 'minutes', minutes: event.currentTarget.value })}
          />
          {t('分钟')}
        </label>
      </section>
      <div className={classes.bar}>
        <div className={classes.total} role="status">
          <strong>
            {t('共 {count} 题 · {score} 分 · {minutes} 分钟', {
              count: total.questions,
              score: formatScore(total.score),
              minutes: total.minutes ?? '—',
            })}
          </strong>
          {total.why !== null && (
            <p>
              {t(whole[total.why], {
                count: OWN_PAPER_MOST,
                least: RANDOM_MINUTES.least,
                most: RANDOM_MINUTES.most,
              })}
            </p>
          )}
        </div>
        <WaitButton
          variant="default"
          waiting={make.isPending}
          disabled={!ready}
          onClick={() => void compose((exam) => paths.paperPrint({ exam }))}
        >
          {t('组卷并打印')}
        </WaitButton>
        <WaitButton type="submit" waiting={make.isPending} disabled={!ready}>
          {t('组卷并开始')}
        </WaitButton>
      </div>
    </form>
  );
}

interface LineProps {
  row: BlueprintTotal['rows'][number];
  fault: LineFault | undefined;
  act: (step: BlueprintStep) => void;
}

function Line({ row: { type, has, count, score }, fault, act }: LineProps) {
  const name = t(typeNames[type] ?? '');
  const id = `random-fault-${type}`;
  const points = Number(count) * Number(score);
  const described = fault ? { 'aria-describedby': id } : {};
  return (
    <div className={classes.line}>
      <p className={classes.type}>
        <b>{name}</b>
        <span>{t('可选 {count} 题', { count: has })}</span>
      </p>
      <label className={classes.field}>
        <input
          inputMode="numeric"
          maxLength={3}
          value={count}
          aria-label={t('{type}的题数', { type: name })}
          aria-invalid={(fault !== undefined && fault.why !== 'score') || undefined}
          {...described}
          onChange={(event) => act({ type: 'line', of: type, change: { count: event.currentTarget.value } })}
        />
        {t('题')}
      </label>
      <label className={classes.field}>
        <span>{t('每题')}</span>
        <input
          inputMode="decimal"
          maxLength={5}
          value={score}
          aria-label={t('{type}每题的分值', { type: name })}
          aria-invalid={fault?.why === 'score' || undefined}
          {...described}
          onChange={(event) => act({ type: 'line', of: type, change: { score: event.currentTarget.value } })}
        />
        {t('分')}
      </label>
      <span className={classes.sum}>
        {Number.isFinite(points) ? t('{count} 分', { count: formatScore(points) }) : '—'}
      </span>
      {fault && (
        <p className={classes.fault} id={id} role="alert">
          {sayFault(type, fault)}
        </p>
      )}
    </div>
  );
}

import { type LeaveAfter, leaveAfters } from '#contract/values/exam.ts';
import quiet from '#ui/quiet-select.module.css';
import { toast } from '#ui/toast.ts';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './LeaveRule.module.css';

const word = (after: LeaveAfter) => (after === 0 ? t('只由我手动移除') : t('连续答对 {count} 次', { count: after }));

/** When a question leaves the list: visible, and the student's to set. */
export function LeaveRule({ packId, leaveAfter }: { packId: number; leaveAfter: LeaveAfter }) {
  const save = useSend('POST /app/exam/study_settings', { renews: ['GET /app/exam/error_index'] });
  const change = async (next: number) => {
    const wanted = leaveAfters.find((after) => after === next);
    if (wanted === undefined) return;
    try {
      await save.mutateAsync({ packId, leaveAfter: wanted });
      toast(t('已保存，从下一次作答起算'), 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  return (
    <div className={classes.rule}>
      <label>
        <span>{t('移出错题本的条件')}</span>
        <select
          className={quiet.select}
          value={save.isPending ? save.variables.leaveAfter : leaveAfter}
          onChange={(event) => void change(Number(event.currentTarget.value))}
        >
          {leaveAfters.map((after) => (
            <option key={after} value={after}>
              {word(after)}
            </option>
          ))}
        </select>
      </label>
      <small>{t('部分正确也算错一次')}</small>
    </div>
  );
}

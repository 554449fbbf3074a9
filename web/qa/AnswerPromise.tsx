import { promiseTexts } from '#contract/values/answer-promise.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';

/** By when a question that is asked now is answered (spec §9). Nothing as long as that is not known. */
export function AnswerPromise() {
  const { data } = useCall('GET /app/qa/promise', {}, { staleTime: 60_000 });
  if (data === undefined) return null;
  const { kind, date, holiday } = data;
  return <>{t(promiseTexts[kind], { date, holiday })}</>;
}

import { Button, TextInput } from '@mantine/core';
import '#ui/form.css';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { CORRECTION_REASON_LONGEST, type GradeMode, gradeModes } from '#contract/values/exam.ts';
import { confirm } from '#ui/confirm.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { keptDraft } from '#web/lib/drafts.ts';
import { useMe } from '#web/lib/me.ts';
import type { Data, Input } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { bounded, lengthOf } from '#web/lib/typed-text.ts';
import { callKey, invalidate, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import { byLetters, choose, lettersOf } from '../paper.ts';
import classes from './CorrectForm.module.css';
import { CorrectionFigures } from './CorrectionFigures.tsx';
import { gradeModeWords } from './quality-words.ts';

type Detail = Data<'GET /app/question/quality'>;
type Preview = Data<'POST /app/question/correction_preview'>;
type Change = Omit<Input<'POST /app/question/correction_preview'>, 'questionId' | 'standing'>;
type Values = { rightAnswer: string; answerAnalysis: string; gradeMode: GradeMode; reason: string } & Record<
  `score${number}`,
  string
>;

/** Papers whose points a teacher may set: those of a chapter's practice are the question's own. */
const withPoints = ({ papers }: Detail) => papers.filter(({ kind, archived }) => kind !== 'chapter' && !archived);

const placeOf = (questionId: number) => `question.correct.${questionId}`;

/** A correction that was begun, as far as the question still has its fields; null: it is none. */
function readDraft(kept: object, given: Values): Values | null {
  const begun = Object.entries(kept).filter(
    ([name, value]) => name in given && typeof value === 'string' && (name !== 'gradeMode' || isGradeMode(value)),
  );
  return begun.length === 0 ? null : { ...given, ...Object.fromEntries(begun) };
}

const isGradeMode = (value: string): value is GradeMode => gradeModes.some((mode) => mode === value);

/** Whether this person has begun to correct a question and not finished. */
export function hasCorrectionDraft(owner: number, questionId: number): boolean {
  return keptDraft(owner, placeOf(questionId), (kept) => kept) !== null;
}

/**
 * Correcting a question: what it would change is shown before anything is done, then a reason is asked for. Another teacher who was
 * quicker is shown first, and what was typed stays.
 */
export function CorrectForm({ detail, onDone }: { detail: Detail; onDone: () => void }) {
  const id = useId();
  const client = useQueryClient();
  const { question, questionId } = detail;
  const [preview, setPreview] = useState<{ figures: Preview; change: Change; standing: string } | null>(null);
  const trying = useSend('POST /app/question/correction_preview');
  const correcting = useSend('POST /app/question/correct', {
    renews: ['GET /app/question/quality_list', 'GET /app/question/quality_choices'],
  });
  const papers = withPoints(detail);
  const letters = byLetters(question.questionTypesId);
  const given: Values = {
    rightAnswer: question.rightAnswer,
    answerAnalysis: question.answerAnalysis,
    gradeMode: detail.gradeMode,
    reason: '',
    ...Object.fromEntries(papers.map(({ examId, score }) => [`score${examId}`, String(score)])),
  };
  const owner = useMe().me?.studentId ?? 0;
  const [begun] = useState(() => keptDraft(owner, placeOf(questionId), (kept) => readDraft(kept, given)));
  const form = useCallForm<Values>({
    initialValues: begun ?? given,
    check: (values) => ({
      rightAnswer: values.rightAnswer.trim() === '' ? (letters ? msg('请选择正确答案') : msg('请填写参考答案')) : null,
      reason: preview !== null && values.reason.trim() === '' ? msg('请写明更正的原因，成绩有变化的学员会看到') : null,
      ...Object.fromEntries(
        papers.map(({ examId }) => [
          `score${examId}`,
          values.gradeMode === 'void' || isScore(values[`score${examId}`] ?? '')
            ? null
            : msg('分值须为 0.5 到 100 之间、以 0.5 为单位的数'),
        ]),
      ),
    }),
    send: async (values) => {
      if (preview === null) {
        const change = changeOf(values, detail);
        const figures = await trying.mutateAsync({ questionId, standing: detail.standing, ...change });
        setPreview({ figures, change, standing: detail.standing });
        return;
      }
      const { change, standing } = preview;
      const saved = await correcting.mutateAsync({ questionId, standing, ...change, reason: values.reason });
      client.setQueryData<Detail>(callKey('GET /app/question/quality', { questionId }), saved);
      toast(t('已更正，成绩正在重新计算'), 'good');
      forget();
      onDone();
    },
    onRefused: ({ why }) => {
      if (why === 'correctedMeanwhile') {
        setPreview(null);
        void invalidate(client, 'GET /app/question/quality', { questionId });
      }
      return false;
    },
  });
  const { values } = form;
  const changed = JSON.stringify(values) !== JSON.stringify(given);
  const forget = useDraft(owner, placeOf(questionId), changed ? values : null);
  const reasonFault: string | undefined = form.getInputProps('reason').error;
  const keyFault: string | undefined = form.getInputProps('rightAnswer').error;
  const analysisFault: string | undefined = form.getInputProps('answerAnalysis').error;
  const leave = async () => {
    const drop = {
      title: t('放弃这次更正？'),
      text: t('填写的内容不会保留。'),
      yes: t('放弃'),
      no: t('继续填写'),
      danger: true,
    };
    if (changed && !(await confirm(drop))) return;
    forget();
    onDone();
  };
  // Each step stands where the last one did, often out of sight: keyboard and screen reader begin at its heading.
  const heading = useRef<HTMLHeadingElement>(null);
  const step = preview === null ? 'change' : 'effect';
  // biome-ignore lint/correctness/useExhaustiveDependencies: `step` says that another heading is shown
  useEffect(() => heading.current?.focus(), [step]);
  return (
    <form {...form.formProps} className={classes.form}>
      {preview === null ? (
        <>
          <h3 ref={heading} tabIndex={-1} className="unseen">
            {t('更正这道题')}
          </h3>
          {letters ? (
            <fieldset
              className={`${fields.group} ${classes.choices}`}
              aria-describedby={keyFault ? `${id}-key` : undefined}
            >
              <legend>{t('正确答案')}</legend>
              <div className={classes.letters}>
                {lettersOf(question.options).map((letter) => (
                  <label key={letter} className={fields.choice}>
                    <input
                      type={question.questionTypesId === 3 || question.questionTypesId === 5 ? 'checkbox' : 'radio'}
                      name={`${id}-right`}
                      checked={values.rightAnswer.includes(letter)}
                      aria-invalid={keyFault !== undefined || undefined}
                      onChange={() =>
                        form.setFieldValue('rightAnswer', choose(question.questionTypesId, values.rightAnswer, letter))
                      }
                    />
                    {letter}
                  </label>
                ))}
              </div>
            </fieldset>
          ) : (
            <>
              <label className={fields.label} htmlFor={`${id}-right`}>
                {t('参考答案')}
              </label>
              <textarea
                id={`${id}-right`}
                className={fields.area}
                value={values.rightAnswer}
                aria-invalid={keyFault !== undefined || undefined}
                aria-describedby={keyFault ? `${id}-key` : undefined}
                onChange={(event) => form.setFieldValue('rightAnswer', event.currentTarget.value)}
              />
            </>
          )}
          {keyFault && (
            <p id={`${id}-key`} role="alert" className={fields.error}>
              {keyFault}
            </p>
          )}
          <label className={fields.label} htmlFor={`${id}-analysis`}>
            {t('解析')}
          </label>
          <textarea
            id={`${id}-analysis`}
            className={fields.area}
            value={values.answerAnalysis}
            aria-invalid={analysisFault !== undefined || undefined}
            aria-describedby={analysisFault ? `${id}-how ${id}-analysis-fault` : `${id}-how`}
            onChange={(event) => form.setFieldValue('answerAnalysis', event.currentTarget.value)}
          />
          {analysisFault && (
            <p id={`${id}-analysis-fault`} role="alert" className={fields.error}>
              {analysisFault}
            </p>
          )}
          <p id={`${id}-how`} className={fields.hint}>
            {t('写法同试题表格的单元格：公式写在 \\( \\) 里，换行照写，已有的图片和标签可以保留。')}
          </p>
          <fieldset className={`${fields.group} ${classes.choices}`}>
            <legend>{t('计分方式')}</legend>
            {gradeModes.map((gradeMode) => (
              <label key={gradeMode} className={fields.choice}>
                <input
                  type="radio"
                  name={`${id}-grading`}
                  checked={values.gradeMode === gradeMode}
                  onChange={() => form.setFieldValue('gradeMode', gradeMode)}
                />
                <span>
                  {t(gradeModeWords[gradeMode])}
                  <small>
                    {gradeMode === 'key'
                      ? t('答对得分')
                      : gradeMode === 'all'
                        ? t('不论答案，交卷的学员都得这道题的分')
                        : t('不计分，试卷总分随之减少')}
                  </small>
                </span>
              </label>
            ))}
          </fieldset>
          {papers.length > 0 && values.gradeMode !== 'void' && (
            <fieldset className={`${fields.group} ${classes.choices}`}>
              <legend>{t('在试卷里的分值')}</legend>
              {papers.map(({ examId, name }) => (
                <TextInput
                  key={examId}
                  label={name}
                  inputMode="decimal"
                  className={classes.score}
                  {...form.getInputProps(`score${examId}`)}
                />
              ))}
            </fieldset>
          )}
        </>
      ) : (
        <>
          <CorrectionFigures figures={preview.figures} heading={heading} />
          <label className={fields.label} htmlFor={`${id}-reason`}>
            {t('更正的原因')}
            <small>
              {lengthOf(values.reason)} / {CORRECTION_REASON_LONGEST}
            </small>
          </label>
          <textarea
            id={`${id}-reason`}
            className={fields.area}
            value={values.reason}
            aria-required
            aria-invalid={reasonFault !== undefined || undefined}
            aria-describedby={reasonFault ? `${id}-reason-fault` : undefined}
            {...bounded(CORRECTION_REASON_LONGEST, (text) => form.setFieldValue('reason', text))}
          />
          {reasonFault && (
            <p id={`${id}-reason-fault`} role="alert" className={fields.error}>
              {reasonFault}
            </p>
          )}
        </>
      )}
      <FormRefusal text={form.refusal} />
      <div className={classes.actions}>
        <Button variant="default" onClick={() => (preview === null ? void leave() : setPreview(null))}>
          {preview === null ? t('取消') : t('返回修改')}
        </Button>
        <WaitButton type="submit" waiting={form.submitting}>
          {preview === null ? t('查看影响') : t('确认更正')}
        </WaitButton>
      </div>
    </form>
  );
}

function isScore(typed: string): boolean {
  const score = Number(typed.trim());
  return typed.trim() !== '' && score >= 0.5 && score <= 100 && Number.isInteger(score * 2);
}

/** Only what differs from how the question stands. */
function changeOf(values: Values, detail: Detail): Change {
  const { question, gradeMode } = detail;
  const scores = withPoints(detail).flatMap(({ examId, score }) => {
    const typed = Number(values[`score${examId}`]);
    return values.gradeMode === 'void' || gradeMode === 'void' || typed === score ? [] : [{ examId, score: typed }];
  });
  return {
    ...(values.rightAnswer !== question.rightAnswer && { rightAnswer: values.rightAnswer }),
    ...(values.answerAnalysis !== question.answerAnalysis && { answerAnalysis: values.answerAnalysis }),
    ...(values.gradeMode !== gradeMode && { gradeMode: values.gradeMode }),
    ...(scores.length > 0 && { scores }),
  };
}

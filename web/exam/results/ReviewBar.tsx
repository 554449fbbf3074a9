import { IconAlertTriangle, IconArrowLeft, IconSettings } from '@tabler/icons-react';
import { Link } from 'react-router';
import { languageOf } from '#rules/rich-text/language.ts';
import icon from '#ui/icon-button.module.css';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import bar from '../screen/ExamBar.module.css';
import { useExamState, useShownRecord } from '../screen/ExamContext.ts';
import { Progress } from '../screen/Progress.tsx';
import { unsentMarkCount } from '../session/marks-state.ts';

/** One question at a time, or all of them under each other. */
export type ReviewView = 'question' | 'list';

interface Props {
  view: ReviewView;
  onView: (view: ReviewView) => void;
}

/** The bar of a review: the way back to the result, title, position over total, and the switch between the two views. */
export function ReviewBar({ view, onView }: Props) {
  const { dispatch } = useShownRecord();
  const { examName, recordId } = useExamState((state) => state.record);
  const option = (value: ReviewView, text: string) => (
    <button type="button" aria-pressed={view === value} onClick={() => onView(value)}>
      {text}
    </button>
  );
  return (
    // No <header>: a dialog brings one of its own, and a page has one banner.
    <section className={bar.bar} aria-label={t('答案与解析')}>
      <div className={bar.left}>
        <Link className={icon.button} to={paths.examResult(recordId)} aria-label={t('成绩')} title={t('成绩')}>
          <IconArrowLeft size={20} aria-hidden />
        </Link>
        <h1 className={bar.title} title={examName} lang={languageOf(examName)}>
          {examName}
        </h1>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as part of a form */}
        <div className={bar.modes} role="group" aria-label={t('视图')}>
          {option('question', t('逐题'))}
          {option('list', t('列表'))}
        </div>
      </div>
      {view === 'question' ? <Progress /> : <Total />}
      <div className={bar.where}>
        <UnsavedMarks />
      </div>
      <div className={bar.right}>
        <button
          type="button"
          className={icon.button}
          onClick={() => dispatch({ type: 'dialog', dialog: 'keys' })}
          aria-label={t('显示与快捷键')}
          title={t('显示与快捷键')}
        >
          <IconSettings size={20} aria-hidden />
        </button>
      </div>
    </section>
  );
}

/** Marks that did not reach the server. Nothing is said of those that are on their way for the first time. */
function UnsavedMarks() {
  const { dispatch } = useShownRecord();
  const count = useExamState((state) => (state.failures > 0 ? unsentMarkCount(state.marksUnsent) : 0));
  return (
    <span className={bar.saveBox}>
      <span role="status" className={bar.save} data-kind="failing">
        {count > 0 && (
          <>
            <IconAlertTriangle size={16} aria-hidden />
            <span>{t('{count} 个标记未保存', { count })}</span>
          </>
        )}
      </span>
      {count > 0 && (
        <button type="button" className={bar.retry} onClick={() => dispatch({ type: 'retryNow' })}>
          {t('重试')}
        </button>
      )}
    </span>
  );
}

/** How many questions there are: in the list no one of them is the current one. */
function Total() {
  const count = useExamState((state) => state.paper.questions.length);
  return (
    <div className={bar.progress}>
      <span className={bar.count}>
        <span className={bar.long}>{t('{count} 题', { count })}</span>
        {/* The word has no room on phones, where the filters below say it too. */}
        <span className={bar.short}>{count}</span>
      </span>
    </div>
  );
}

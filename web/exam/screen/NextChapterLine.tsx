import { t } from '#web/lib/t.ts';
import classes from './ExamDialogs.module.css';
import type { useNextChapter } from './useNextChapter.ts';

/** Which chapter comes next, in a sentence. */
export function NextChapterLine({ looking, next }: ReturnType<typeof useNextChapter>) {
  return (
    <p className={classes.lead}>
      {looking
        ? t('正在查找下一章…')
        : next
          ? t('下一章：{name}', { name: [next.courseName, next.name].filter((name) => name !== null).join(' · ') })
          : t('后面没有可以练习的章节了。')}
    </p>
  );
}

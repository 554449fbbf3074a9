import { PackShelf } from '#web/course/PackShelf.tsx';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import page from './page.module.css';

/** 课程: every pack of this school. */
export default function CoursesPage() {
  useTitle(t('课程'));
  return (
    <div className={page.page}>
      <h1 className={page.title}>{t('课程')}</h1>
      <p className={page.lead}>{t('每个课程包含章节练习、课后练习和成套试卷')}</p>
      <div className={page.section}>
        <PackShelf of="school" heading="h2" />
      </div>
    </div>
  );
}

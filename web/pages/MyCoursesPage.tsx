import { PackShelf } from '#web/course/PackShelf.tsx';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import page from './page.module.css';

/** 我的课程: the packs the person has joined, last studied first. */
export default function MyCoursesPage() {
  useTitle(t('我的课程'));
  return (
    <div className={page.page}>
      <h1 className={page.title}>{t('我的课程')}</h1>
      <p className={page.lead}>{t('最近学习的排在前面')}</p>
      <div className={page.section}>
        <PackShelf of="me" heading="h2" />
      </div>
    </div>
  );
}

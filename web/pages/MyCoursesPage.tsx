import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '#ui/EmptyState.tsx';
import { PackShelf } from '#web/course/PackShelf.tsx';
import { paths } from '#web/lib/paths.ts';
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
        <PackShelf
          of="me"
          heading="h2"
          empty={
            <EmptyState
              text={t('还没有报名课程。挑一门开始，章节练习和模拟考试就在课程里。')}
              action={
                <Button component={Link} to={paths.courses()}>
                  {t('挑选课程')}
                </Button>
              }
            />
          }
        />
      </div>
    </div>
  );
}

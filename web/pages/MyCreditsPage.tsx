import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { Credits } from '#web/play/Credits.tsx';
import { PackChoice } from './PackChoice.tsx';
import page from './page.module.css';

/** 我的学分 of a pack that gives some. */
export default function MyCreditsPage() {
  useTitle(t('我的学分'));
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t('我的学分')}</h1>
      <p className={page.lead}>{t('学完课时、完成练习得到的学分。')}</p>
      <div className={page.section}>
        <PackChoice only={(pack) => pack.scoreState === 1} none={t('您报名的课程都没有学分。')}>
          {(packId) => <Credits packId={packId} />}
        </PackChoice>
      </div>
    </div>
  );
}

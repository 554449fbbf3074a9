import { Link } from 'react-router';
import { TextBones } from '#ui/Bones.tsx';
import { PackShelf } from '#web/course/PackShelf.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { type Me, useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { GoalCard } from '#web/university/GoalCard.tsx';
import { DailyReviews } from './DailyReviews.tsx';
import { OpenExams } from './OpenExams.tsx';
import page from './page.module.css';
import { VisitorHome } from './VisitorHome.tsx';

/** Home: for a student what to do next, before anything is sold; for a visitor what there is to learn. */
export default function HomePage() {
  useTitle('');
  const { call } = useMe();
  return (
    <div className={page.page}>
      <CallState call={call} skeleton={<TextBones lines={6} />}>
        {({ user }) => (user === null ? <VisitorHome /> : <ForStudent me={user} />)}
      </CallState>
    </div>
  );
}

function ForStudent({ me }: { me: Me }) {
  const now = serverNow();
  return (
    <>
      <h1 className={page.title}>{t('{name}，接着学吧', { name: me.nickname })}</h1>
      <p className={page.lead}>{t('今天是 {day}', { day: formatDay(now, now) })}</p>
      <OpenExams />
      <DailyReviews />
      <GoalCard />
      <section className={page.section} aria-labelledby="my-packs">
        <div className={page.sectionHead}>
          <h2 id="my-packs" className={page.sectionTitle}>
            {t('我的课程')}
          </h2>
          <Link to={paths.courses()}>{t('全部课程')}</Link>
        </div>
        <PackShelf of="me" heading="h3" />
      </section>
    </>
  );
}

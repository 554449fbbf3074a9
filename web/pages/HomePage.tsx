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
import { Mark } from '#web/lib/Mark.tsx';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import classes from './HomePage.module.css';
import page from './page.module.css';
import { StudentHome } from './StudentHome.tsx';

/** Home: for a student what to do next, before anything is sold; for a visitor what there is to learn. */
export default function HomePage() {
  useTitle('');
  const { call } = useMe();
  return (
    <div className={page.page}>
      <CallState call={call} skeleton={<TextBones lines={6} />}>
        {({ user }) => (user === null ? <VisitorHome /> : <ForStudent me={user} />)}
        {({ user }) => (user === null ? <ForVisitor /> : <StudentHome me={user} />)}
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
function ForVisitor() {
  return (
    <>
      <div className={classes.hero}>
        <h1 className={classes.motto}>
          <span>{t('磨砺以须')}</span>
          <span>{t('学以致用')}</span>
        </h1>
        <p className={classes.about}>
          {t('按章节练习，按真实时间模拟。每一次作答随时保存，断网也不会丢，交卷后逐题对答案、看解析。')}
        </p>
        <div className={classes.actions}>
          <Button size="md" component={Link} to={paths.login()}>
            {t('登录开始学习')}
          </Button>
          <Button size="md" variant="default" component={Link} to={paths.courses()}>
            {t('先看看课程')}
          </Button>
        </div>
        <Mark size={260} className={classes.brush} />
      </div>
      <section className={page.section} aria-labelledby="packs">
        <div className={page.sectionHead}>
          <h2 id="packs" className={page.sectionTitle}>
            {t('课程')}
          </h2>
        </div>
        <PackShelf of="school" heading="h3" />
      </section>
    </>
  );
}

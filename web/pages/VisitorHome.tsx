import { Button } from '@mantine/core';
import { IconChecklist, IconDeviceFloppy, IconRepeat } from '@tabler/icons-react';
import { Link } from 'react-router';
import { CardBones } from '#ui/Bones.tsx';
import over from '#ui/card-link.module.css';
import rows from '#ui/rows.module.css';
import { ExamDays } from '#web/course/ExamDays.tsx';
import { PackCard } from '#web/course/PackCard.tsx';
import shelf from '#web/course/PackShelf.module.css';
import { PackShelf } from '#web/course/PackShelf.tsx';
import { AdTip, Banners } from '#web/course/Promotion.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { SchoolNextLives } from '#web/live/NextLives.tsx';
import { aroundLives } from './around-lives.tsx';
import page from './page.module.css';
import classes from './VisitorHome.module.css';

/** Of a school with few courses all of them stand on home; of others those that are new. */
const FEW = 8;

/** Home for who is not signed in: what this is, what the school shows first, and what there is to learn. */
export function VisitorHome() {
  return (
    <>
      <div className={classes.hero}>
        <div>
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
        </div>
        <div className={classes.shown}>
          <Banners />
        </div>
      </div>
      <Categories />
      <Newest />
      <SchoolNextLives around={aroundLives} />
      <ExamsAhead />
      <What />
      <AdTip />
    </>
  );
}

/** The big categories, each with its little ones. */
function Categories() {
  const { data } = useCall('GET /app/test/list_category', {});
  if (!data?.list.length) return null;
  return (
    <section className={page.section} aria-labelledby="categories">
      <div className={page.sectionHead}>
        <h2 id="categories" className={page.sectionTitle}>
          {t('按考试找课程')}
        </h2>
      </div>
      <ul className={classes.categories}>
        {data.list.map((big) => (
          <li key={big.id} className={`${over.card} ${classes.category}`}>
            <h3 className={classes.big}>
              <Link to={paths.courses({ category: big.id })} className={over.link} lang="zh-CN">
                {big.name}
              </Link>
              <small>{t('{n} 门课程', { n: big.packCount })}</small>
            </h3>
            <p className={classes.littles}>
              {big.childes.map((little) => (
                <Link key={little.id} to={paths.courses({ category: little.id })} lang="zh-CN">
                  {little.name}
                </Link>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Newest() {
  const newest = useCall('GET /api/common/newest', {});
  const few = newest.data !== undefined && newest.data.list.length < FEW;
  return (
    <section className={page.section} aria-labelledby="packs">
      <div className={page.sectionHead}>
        <h2 id="packs" className={page.sectionTitle}>
          {few ? t('课程') : t('最新课程')}
        </h2>
        <Link to={paths.courses()}>{t('全部课程')}</Link>
      </div>
      <CallState
        call={newest}
        skeleton={<CardBones />}
        empty={{ when: ({ list }) => list.length === 0, show: <PackShelf of="school" heading="h3" /> }}
      >
        {({ list }) => (
          <ul className={shelf.shelf}>
            {list.map((pack) => (
              <li key={pack.packId}>
                <PackCard pack={pack} mine={false} heading="h3" />
              </li>
            ))}
          </ul>
        )}
      </CallState>
    </section>
  );
}

/** The real exams that come next: how much time there is. */
function ExamsAhead() {
  const { data } = useCall('GET /app/common/test', {});
  if (!data?.list.length) return null;
  return (
    <section className={page.section} aria-labelledby="exams-ahead">
      <div className={page.sectionHead}>
        <h2 id="exams-ahead" className={page.sectionTitle}>
          {t('考试日程')}
        </h2>
      </div>
      <ul className={rows.rows}>
        {data.list.slice(0, 6).map(({ packId, packageName, examDate }) => (
          <li key={packId} className={classes.exam}>
            <time dateTime={examDate}>{examDate}</time>
            <Link to={paths.course(packId)} lang="zh-CN">
              {packageName}
            </Link>
            <ExamDays examDate={examDate} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What this is, in three sentences. */
function What() {
  const parts = [
    [IconDeviceFloppy, t('每次作答都存下来'), t('存到磁盘才算保存。断网时留在本机，连上再送，重新打开接着做。')],
    [IconChecklist, t('按真实的考试来练'), t('同样的题型、时间和评分。交卷后逐题看解析，看清丢分的章节。')],
    [IconRepeat, t('错题在考前练会'), t('错题自动进入错题本，按记忆的规律安排到考前再练，直到答对。')],
  ] as const;
  return (
    <section className={classes.what} aria-label={t('砺学怎样帮您备考')}>
      {parts.map(([Icon, title, words]) => (
        <div key={title}>
          <Icon size={26} stroke={1.4} aria-hidden />
          <h2>{title}</h2>
          <p>{words}</p>
        </div>
      ))}
    </section>
  );
}

import { Button } from '@mantine/core';
import {
  IconClipboardCheck,
  IconHistory,
  IconHourglass,
  IconListTree,
  IconNotebook,
  IconPlayerPlay,
  type IconProps,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { TextBones } from '#ui/Bones.tsx';
import { RichText } from '#ui/RichText.tsx';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { NotFound } from '#web/app/NotFound.tsx';
import { ExamDays } from '#web/course/ExamDays.tsx';
import { PackCover } from '#web/course/PackCover.tsx';
import { PackProgress } from '#web/course/PackProgress.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { formatCount } from '#web/lib/format.ts';
import { useMe } from '#web/lib/me.ts';
import { idFrom, paths } from '#web/lib/paths.ts';
import { CallError, type Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import classes from './CoursePage.module.css';
import page from './page.module.css';

type Details = Data<'GET /api/common/course_details'>;

/** One course pack: what it is, joining it, and the ways to practice in it. */
export default function CoursePage() {
  const packId = idFrom(useParams().packId);
  const details = useCall('GET /api/common/course_details', { packId: packId ?? 0 }, { enabled: packId !== null });
  useTitle(details.data?.packageName ?? t('课程'));
  if (packId === null) return <NotFound />;
  return (
    <div className={page.page}>
      <CallState
        call={details}
        skeleton={<TextBones lines={8} />}
        refusals={{ notFound: <NotFound />, badInput: <NotFound /> }}
      >
        {(pack) => <PackDetails pack={pack} />}
      </CallState>
    </div>
  );
}

function PackDetails({ pack }: { pack: Details }) {
  const joined = pack.buyState === 1;
  return (
    <>
      <div className={classes.head}>
        <PackCover packId={pack.packId} name={pack.packageName} large />
        <div className={classes.what}>
          <h1 className={page.title}>{pack.packageName}</h1>
          <p className={classes.summary}>{pack.summary}</p>
          <p className={classes.counts}>
            <span>
              {t('{questions} 道题 · {papers} 套试卷', {
                questions: formatCount(pack.questionCount),
                papers: formatCount(pack.examCount),
              })}
            </span>
            <ExamDays examDate={pack.examDate} />
          </p>
          {joined ? (
            <div className={classes.progress}>
              <PackProgress done={pack.doneCount} total={pack.questionCount} />
            </div>
          ) : (
            <Join pack={pack} />
          )}
          {pack.lessonCount > 0 && (
            <Button
              component={Link}
              to={paths.play(pack.packId)}
              variant={joined ? 'filled' : 'default'}
              size="md"
              leftSection={<IconPlayerPlay size={18} stroke={1.7} aria-hidden />}
            >
              {joined ? t('进入学习（{n} 课时）', { n: pack.lessonCount }) : t('试听')}
            </Button>
          )}
        </div>
      </div>
      {joined && <Ways packId={pack.packId} />}
      <div className={classes.more}>
        {pack.description !== '' && (
          <section className={page.section} aria-labelledby="about">
            <div className={page.sectionHead}>
              <h2 id="about" className={page.sectionTitle}>
                {t('课程介绍')}
              </h2>
            </div>
            <RichText html={pack.description} className="reading" />
          </section>
        )}
        {pack.courses.length > 0 && (
          <section className={page.section} aria-labelledby="parts">
            <div className={page.sectionHead}>
              <h2 id="parts" className={page.sectionTitle}>
                {t('包含的课程')}
              </h2>
            </div>
            <ul className={`${rows.rows} ${classes.courses}`}>
              {pack.courses.map((course) => (
                <li key={course.courseId} className={classes.course}>
                  <span className={classes.courseName}>
                    {joined ? (
                      <Link to={paths.chapterExam({ packId: pack.packId, courseId: course.courseId, type: 1 })}>
                        {course.name}
                      </Link>
                    ) : (
                      course.name
                    )}
                  </span>
                  <span className={classes.courseCount}>{t('{n} 题', { n: formatCount(course.questionCount) })}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </>
  );
}

/** 报名学习. A visitor signs in first and comes back here. */
function Join({ pack }: { pack: Details }) {
  const { me } = useMe();
  const navigate = useNavigate();
  const join = useSend('POST /api/course/course_join', {
    renews: ['GET /api/common/course_details', 'GET /api/common/course_list', 'GET /api/user/course_list'],
  });
  if (pack.enrolOpen === 0 || pack.price !== null)
    return <p className={classes.closed}>{t('该课程暂不开放自主报名，请联系学校')}</p>;
  const start = async () => {
    if (me === null) {
      void navigate(paths.login(paths.course(pack.packId)));
      return;
    }
    try {
      await join.mutateAsync({ packId: pack.packId });
      toast(t('报名成功'), 'good');
    } catch (error) {
      if (error instanceof CallError) toast(t(error.msg), 'bad');
    }
  };
  return (
    <div className={classes.join}>
      <WaitButton size="md" waiting={join.isPending} onClick={() => void start()}>
        {t('报名学习')}
      </WaitButton>
      <span className={classes.free}>{t('免费')}</span>
    </div>
  );
}

/** The five ways to practice in a pack. */
function Ways({ packId }: { packId: number }) {
  const ways: { to: string; word: string; hint: string; Icon: ComponentType<IconProps> }[] = [
    {
      to: paths.chapterExam({ packId, type: 1 }),
      word: t('章节练习'),
      hint: t('按章节逐题练'),
      Icon: IconListTree,
    },
    {
      to: paths.chapterExam({ packId, type: 2 }),
      word: t('课后练习'),
      hint: t('学完一讲练一讲'),
      Icon: IconNotebook,
    },
    {
      to: paths.examCenter({ packId, kind: 'mock' }),
      word: t('模拟考试'),
      hint: t('整卷计时，交卷评分'),
      Icon: IconClipboardCheck,
    },
    { to: paths.examCenter({ packId, kind: 'past' }), word: t('历年真题'), hint: t('按年份做真题'), Icon: IconHistory },
    {
      to: paths.examCenter({ packId, kind: 'timed' }),
      word: t('限时测试'),
      hint: t('短时间专项突破'),
      Icon: IconHourglass,
    },
  ];
  return (
    <nav className={classes.ways} aria-label={t('练习方式')}>
      {ways.map(({ to, word, hint, Icon }) => (
        <Link key={to} to={to} className={classes.way}>
          <Icon size={26} stroke={1.5} aria-hidden />
          <span className={classes.wayWords}>
            <span className={classes.wayName}>{word}</span>
            <span className={classes.wayHint}>{hint}</span>
          </span>
        </Link>
      ))}
    </nav>
  );
}

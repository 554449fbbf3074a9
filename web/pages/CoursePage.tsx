import { Button } from '@mantine/core';
import {
  IconClipboardCheck,
  IconFolder,
  IconHistory,
  IconHourglass,
  IconListTree,
  IconMessageQuestion,
  IconNotebook,
  IconPlayerPlay,
  type IconProps,
} from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useRef } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { TextBones } from '#ui/Bones.tsx';
import { RichText } from '#ui/RichText.tsx';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { NotFound } from '#web/app/NotFound.tsx';
import { PackComments } from '#web/comment/PackComments.tsx';
import { ExamDays } from '#web/course/ExamDays.tsx';
import { PackCover } from '#web/course/PackCover.tsx';
import { PackProgress } from '#web/course/PackProgress.tsx';
import { Teachers } from '#web/course/Teachers.tsx';
import { FileNames } from '#web/file/FileNames.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatCount, formatDay } from '#web/lib/format.ts';
import { useMe } from '#web/lib/me.ts';
import { idFrom, paths } from '#web/lib/paths.ts';
import { CallError, type Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import { useRootMark } from '#web/lib/useRootMark.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { usePackLives } from '#web/live/usePackLives.tsx';
import { BuyBox } from '#web/order/BuyBox.tsx';
import { CourseCatalogue } from './CourseCatalogue.tsx';
import classes from './CoursePage.module.css';
import page from './page.module.css';

type Details = Data<'GET /api/common/course_details'>;

/** One course pack: what it is and what is in it, joining it, and the ways to practice in it. */
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
  const { packId } = pack;
  const joined = pack.buyState === 1;
  const act = useRef<HTMLDivElement>(null);
  useSwapFocus(act, joined);
  useRootMark('courseAct');
  const chapters = useCall('GET /app/course/chapters', { packId }, { enabled: pack.lessonCount > 0 });
  const files = useCall('GET /api/common/course_file_names', { packId });
  const lives = usePackLives(packId);
  return (
    <div className={classes.columns}>
      <div className={classes.head}>
        <PackCover packId={packId} name={pack.packageName} large />
        <div className={classes.what}>
          {pack.categoryName !== '' && (
            <Link to={paths.courses({ category: pack.categoryId })} className={classes.category} lang="zh-CN">
              {pack.categoryName}
            </Link>
          )}
          <h1 className={page.title}>{pack.packageName}</h1>
          <p className={classes.summary}>{pack.summary}</p>
          <ExamDay examDate={pack.examDate} />
        </div>
      </div>
      <aside className={classes.side} aria-label={t('报名')}>
        <div className={classes.box}>
          <div ref={act} tabIndex={-1} className={classes.act}>
            {joined ? (
              <div className={classes.progress}>
                <PackProgress done={pack.doneCount} total={pack.questionCount} />
              </div>
            ) : pack.price === null ? (
              <Join pack={pack} />
            ) : (
              <BuyBox pack={pack} />
            )}
            {pack.lessonCount > 0 && (
              <Button
                component={Link}
                to={paths.play(packId)}
                variant={joined ? 'filled' : 'default'}
                size="md"
                className={classes.play}
                leftSection={<IconPlayerPlay size={18} stroke={1.7} aria-hidden />}
              >
                {joined ? t('进入学习') : t('试听')}
              </Button>
            )}
          </div>
          <Contains pack={pack} files={files.data?.total ?? 0} />
        </div>
      </aside>
      <div className={classes.main}>
        {joined && <Ways packId={packId} />}
        {pack.description !== '' && (
          <Section id="about" title={t('课程介绍')}>
            <RichText html={pack.description} className="reading" />
          </Section>
        )}
        {pack.lessonCount > 0 && (
          <Section id="catalogue" title={t('课程目录')}>
            <CallState call={chapters} skeleton={<TextBones lines={6} />}>
              {(tree) => <CourseCatalogue chapters={tree} joined={joined} />}
            </CallState>
          </Section>
        )}
        {lives !== null && (
          <Section id="lives" title={t('直播课')}>
            {lives}
          </Section>
        )}
        {pack.courses.length > 0 && (
          <Section id="parts" title={t('包含的课程')}>
            <ul className={rows.rows}>
              {pack.courses.map((course) => (
                <li key={course.courseId} className={classes.course}>
                  <span className={classes.courseName}>
                    {joined ? (
                      <Link to={paths.chapterExam({ packId, courseId: course.courseId, type: 1 })}>{course.name}</Link>
                    ) : (
                      course.name
                    )}
                  </span>
                  <span className={classes.courseCount}>{t('{n} 题', { n: formatCount(course.questionCount) })}</span>
                </li>
              ))}
            </ul>
          </Section>
        )}
        {pack.teachers.length > 0 && (
          <Section id="teachers" title={t('授课老师')}>
            <Teachers teachers={pack.teachers} />
          </Section>
        )}
        {files.data !== undefined && files.data.total > 0 && (
          <Section id="files" title={t('课程资料')}>
            {!joined && <p className={classes.trials}>{t('报名后可以在课程学习页打开和下载。')}</p>}
            <FileNames names={files.data} />
          </Section>
        )}
        <Section id="comments" title={t('同学评论')}>
          <PackComments packId={packId} />
        </Section>
      </div>
    </div>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={page.section} aria-labelledby={id}>
      <div className={page.sectionHead}>
        <h2 id={id} className={page.sectionTitle}>
          {title}
        </h2>
      </div>
      {children}
    </section>
  );
}

/** The day of the real exam with how far away it is. */
function ExamDay({ examDate }: { examDate: string | null }) {
  if (examDate === null) return null;
  return (
    <p className={classes.counts}>
      <span>{t('考试日期 {day}', { day: formatDay(Date.parse(`${examDate}T12:00:00+08:00`), serverNow()) })}</span>
      <ExamDays examDate={examDate} />
    </p>
  );
}

/** What one gets with a pack, counted. */
function Contains({ pack, files }: { pack: Details; files: number }) {
  const parts: [ComponentType<IconProps>, number, string][] = [
    [IconPlayerPlay, pack.lessonCount, t('{n} 课时', { n: formatCount(pack.lessonCount) })],
    [IconListTree, pack.questionCount, t('{n} 道题，逐题有解析', { n: formatCount(pack.questionCount) })],
    [IconClipboardCheck, pack.examCount, t('{n} 套试卷', { n: formatCount(pack.examCount) })],
    [IconFolder, files, t('{n} 份资料', { n: formatCount(files) })],
    [IconMessageQuestion, 1, t('答疑，错题本和复习计划')],
  ];
  return (
    <ul className={classes.contains} aria-label={t('课程包含')}>
      {parts.map(
        ([Icon, count, words]) =>
          count > 0 && (
            <li key={words}>
              <Icon size={18} stroke={1.5} aria-hidden />
              {words}
            </li>
          ),
      )}
    </ul>
  );
}

/** 报名学习. A visitor signs in first and comes back here. */
function Join({ pack }: { pack: Details }) {
  const { me } = useMe();
  const navigate = useNavigate();
  const join = useSend('POST /api/course/course_join', {
    renews: [
      'GET /api/common/course_details',
      'GET /api/common/course_list',
      'GET /api/user/course_list',
      'GET /app/course/chapters',
    ],
  });
  if (pack.enrolOpen === 0) return <p className={classes.closed}>{t('该课程暂不开放自主报名，请联系学校')}</p>;
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

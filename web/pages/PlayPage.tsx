import { Button, Tabs } from '@mantine/core';
import '#ui/tabs.css';
import {
  IconAward,
  IconFileTypePdf,
  IconFolder,
  IconLayoutSidebarRightCollapse,
  IconLayoutSidebarRightExpand,
  IconListTree,
  IconMessage,
  type IconProps,
  IconWriting,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { foldersAbove, lessonsIn, nextLesson, type PlayNode } from '#rules/play/directory.ts';
import { RowBones, TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import icon from '#ui/icon-button.module.css';
import { RichText } from '#ui/RichText.tsx';
import { toast } from '#ui/toast.ts';
import { NotFound } from '#web/app/NotFound.tsx';
import { CommentPanel } from '#web/comment/CommentPanel.tsx';
import { CourseFiles } from '#web/file/CourseFiles.tsx';
import { SlidePanel } from '#web/file/SlidePanel.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { useMe } from '#web/lib/me.ts';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { recall, remember } from '#web/lib/remember.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { invalidate, useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { Credits } from '#web/play/Credits.tsx';
import { Directory } from '#web/play/Directory.tsx';
import { LessonStage } from '#web/play/LessonStage.tsx';
import { Notes } from '#web/play/Notes.tsx';
import { Practice } from '#web/play/Practice.tsx';
import { type PlayTab, playTab, playTabs } from '#web/play/tabs.ts';
import { track } from '#web/play/tracker.ts';
import { Avatar } from '#web/user/Avatar.tsx';
import classes from './PlayPage.module.css';

type Chapters = Data<'GET /app/course/chapters'>;
type Lesson = Data<'GET /app/course/lesson'>;
const CHAPTERS = 'GET /app/course/chapters';
const LESSON = 'GET /app/course/lesson';

/** 课程学习: the lessons of a pack with what stands beside them. The lesson and the tab are in the address. */
export default function PlayPage() {
  const packId = idFrom(useParams().packId);
  const chapters = useCall(CHAPTERS, { packId: packId ?? 0 }, { enabled: packId !== null, staleTime: 0 });
  useTitle(chapters.data?.packageName ?? t('课程'));
  if (packId === null) return <NotFound />;
  return (
    <div className={classes.page}>
      <CallState
        call={chapters}
        skeleton={<TextBones lines={10} />}
        refusals={{ notFound: <NotFound />, badInput: <NotFound /> }}
        empty={{
          when: ({ list }) => list.length === 0,
          show: (
            <EmptyState
              text={t('本课程包还没有课时')}
              action={
                <Button component={Link} to={paths.course(packId)} variant="default">
                  {t('回到课程包')}
                </Button>
              }
            />
          ),
        }}
      >
        {(pack) => <Play pack={pack} />}
      </CallState>
    </div>
  );
}

/** Says why a lesson does not open. */
function tellLocked(pack: Chapters, lessonId: number): void {
  track('play_locked', { packId: pack.packId, lessonId });
  if (pack.buyState === 0) {
    toast(t('请先报名该课程'));
    return;
  }
  toast(t('该视频未解锁，无法播放'), 'bad');
  toast(t('完成上一节后解锁'));
}

function Play({ pack }: { pack: Chapters }) {
  const { packId, current } = pack;
  const [search, setSearch] = useSearchParams();
  const client = useQueryClient();
  // Where to go on is said once: finishing a lesson does not take it away from under its reader.
  const [first] = useState(current?.firstVideoId ?? null);
  const lessonId = idFrom(search.get('lesson')) ?? first ?? current?.firstVideoId ?? null;
  const lesson = useCall(LESSON, { packId, firstVideoId: lessonId ?? 0 }, { enabled: lessonId !== null, staleTime: 0 });
  // The fourth level, which the contract has as a list of nothing, is always empty.
  const list = pack.list as readonly unknown[] as readonly PlayNode[];
  const lessons = lessonsIn(list);
  const [openIds, toggle] = useOpenFolders(list, lessonId);

  const choose = (node: PlayNode) => {
    if (node.status === 0) {
      tellLocked(pack, node.id);
      return;
    }
    if (node.id === lessonId) return;
    track('play_lesson_change', { packId, lessonId: node.id, kind: node.kind });
    setSearch((was) => {
      const query = new URLSearchParams(was);
      query.set('lesson', String(node.id));
      return query;
    });
    window.scrollTo({ top: 0 });
  };
  const next = () => {
    const found = nextLesson(lessons, lessonId ?? 0);
    if (found.ok) choose(found.lesson);
    else if (found.why === 'last') {
      track('play_last_video', { packId, lessonId: lessonId ?? 0 });
      toast(t('已经是最后一节了'));
    } else tellLocked(pack, lessonId ?? 0);
  };
  const progressed = () => {
    void invalidate(client, CHAPTERS);
    void invalidate(client, LESSON);
    void invalidate(client, 'GET /app/course/credits');
  };
  const directory = (
    <Directory
      list={list}
      courses={pack.courses}
      trials={pack.buyState === 0}
      currentId={lessonId}
      openIds={openIds}
      onToggle={toggle}
      onChoose={choose}
      audio={lesson.data?.videoState === 1}
    />
  );
  const bought = pack.buyState === 1;
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        {lessonId === null ? (
          <EmptyState
            text={t('报名后可以学习本课程包的全部课时')}
            action={
              <Button component={Link} to={paths.course(packId)}>
                {t('去报名')}
              </Button>
            }
          />
        ) : (
          <CallState
            call={lesson}
            skeleton={<RowBones count={1} height={240} />}
            refusals={{
              notFound: <Gone packId={packId} />,
              lessonLocked: <Locked />,
              notEnrolled: <Join packId={packId} />,
            }}
          >
            {(open) => (
              <LessonStage key={open.firstVideoId} lesson={open} kept={bought} onProgress={progressed} onNext={next} />
            )}
          </CallState>
        )}
        {lesson.data && <Below lesson={lesson.data} bought={bought} key={lesson.data.firstVideoId} />}
      </div>
      {bought ? (
        <SidePanel pack={pack} lesson={lesson.data ?? null} directory={directory} />
      ) : (
        <aside className={classes.side} aria-label={t('课程目录')}>
          <p className={classes.packName}>{pack.packageName}</p>
          <p className={classes.hint}>
            {t('试听课时可以直接打开，其余课时报名后学习。')} <Link to={paths.course(packId)}>{t('去报名')}</Link>
          </p>
          <div className={classes.scroll} data-scrolls>
            {directory}
          </div>
        </aside>
      )}
    </div>
  );
}

/** Which folders are open: each as its student left it, and those above the lesson that is opened. */
function useOpenFolders(list: readonly PlayNode[], lessonId: number | null) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const known = useRef(list);
  useEffect(() => {
    known.current = list;
  });
  useEffect(() => {
    if (lessonId === null) return;
    const above = foldersAbove(known.current, lessonId);
    setOpen((was) => new Set([...was, ...above]));
  }, [lessonId]);
  const toggle = ({ id, level }: PlayNode, expanded: boolean) => {
    track('play_chapter_change', { id, level, expanded });
    setOpen((was) => {
      const now = new Set(was);
      if (expanded) now.add(id);
      else now.delete(id);
      return now;
    });
  };
  return [open, toggle] as const;
}

const Locked = () => <EmptyState text={t('该视频未解锁，无法播放')} action={<p>{t('完成上一节后解锁')}</p>} />;

function Gone({ packId }: { packId: number }) {
  return (
    <EmptyState
      text={t('这个课时不在了，可能已被学校移除')}
      action={
        <Button component={Link} to={paths.play(packId)} variant="default">
          {t('看看其他课时')}
        </Button>
      }
    />
  );
}

function Join({ packId }: { packId: number }) {
  return (
    <EmptyState
      text={t('请先报名该课程')}
      action={
        <Button component={Link} to={paths.course(packId)}>
          {t('去报名')}
        </Button>
      }
    />
  );
}

/** 简介, 评论 and 笔记 under the stage. */
function Below({ lesson, bought }: { lesson: Lesson; bought: boolean }) {
  const { packId, firstVideoId } = lesson;
  return (
    <Tabs defaultValue="profile" keepMounted={false} className={classes.below}>
      <Tabs.List>
        <Tabs.Tab value="profile">{t('简介')}</Tabs.Tab>
        <Tabs.Tab value="comments">{t('评论')}</Tabs.Tab>
        {bought && <Tabs.Tab value="notes">{t('笔记')}</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="profile" className={classes.panel}>
        {lesson.profile === '' ? (
          <p className={classes.none}>{t('本节课程暂无简介')}</p>
        ) : (
          <RichText html={lesson.profile} className="reading" />
        )}
      </Tabs.Panel>
      <Tabs.Panel value="comments" className={classes.panel}>
        {bought ? (
          <CommentPanel packId={packId} lessonId={firstVideoId} pager={(bounds) => <Pager {...bounds} />} />
        ) : (
          <p className={classes.none}>{t('报名后可以看到评论，也可以发表评论')}</p>
        )}
      </Tabs.Panel>
      {bought && (
        <Tabs.Panel value="notes" className={classes.panel}>
          <Notes packId={packId} lessonId={firstVideoId} second={() => Math.floor(lesson.position)} />
        </Tabs.Panel>
      )}
    </Tabs>
  );
}

const tabWords: Readonly<Record<PlayTab, { word: () => string; Icon: ComponentType<IconProps> }>> = {
  [playTab.chapters]: { word: () => t('章节'), Icon: IconListTree },
  [playTab.comments]: { word: () => t('评论'), Icon: IconMessage },
  [playTab.slides]: { word: () => t('课件'), Icon: IconFileTypePdf },
  [playTab.practice]: { word: () => t('练一练'), Icon: IconWriting },
  [playTab.credits]: { word: () => t('我的学分'), Icon: IconAward },
  [playTab.files]: { word: () => t('资料'), Icon: IconFolder },
};

const FOLDED = 'play-panel-folded';

/** What stands beside the stage for who has bought the pack; it folds to a strip of shortcuts (spec §2). */
function SidePanel({ pack, lesson, directory }: { pack: Chapters; lesson: Lesson | null; directory: ReactNode }) {
  const { packId } = pack;
  const { me } = useMe();
  const [search, setSearch] = useSearchParams();
  const [folded, setFolded] = useState(() => recall(FOLDED) === '1');
  const tabs = playTabs({ lesson, scoreState: pack.scoreState, hasParent: search.get('parentId') !== null });
  const asked = Number(search.get('tab'));
  const tab = tabs.find((known) => known === asked) ?? playTab.chapters;
  const fold = (now: boolean) => {
    setFolded(now);
    remember(FOLDED, now ? '1' : '0');
  };
  const open = (now: PlayTab) => {
    track('play_tab_change', { tab: now });
    fold(false);
    setSearch(
      (was) => {
        const query = new URLSearchParams(was);
        if (now === playTab.chapters) query.delete('tab');
        else query.set('tab', String(now));
        return query;
      },
      { replace: true },
    );
  };
  const panels: Readonly<Record<PlayTab, ReactNode>> = {
    [playTab.chapters]: directory,
    [playTab.comments]: (
      <div className={classes.padded}>
        <CommentPanel packId={packId} pager={(bounds) => <Pager {...bounds} />} />
      </div>
    ),
    [playTab.slides]: (
      <SlidePanel
        key={lesson?.firstVideoId}
        lessonName={lesson?.firstVideoName ?? null}
        pptUrl={lesson?.pptUrl ?? ''}
        onClose={() => open(playTab.chapters)}
      />
    ),
    [playTab.practice]: <Practice list={lesson?.practiceArr ?? []} />,
    [playTab.credits]: <Credits packId={packId} />,
    [playTab.files]: <CourseFiles packId={packId} pager={(bounds) => <Pager {...bounds} />} />,
  };
  return (
    <aside className={classes.side} data-folded={folded || undefined} aria-label={t('学习面板')}>
      <div className={classes.strip}>
        <button
          type="button"
          className={icon.button}
          aria-label={t('展开面板')}
          aria-expanded={false}
          onClick={() => fold(false)}
        >
          <IconLayoutSidebarRightExpand size={20} stroke={1.6} aria-hidden />
        </button>
        {me !== null && (
          <>
            <Avatar me={me} size={36} />
            <span className={classes.nickname}>{me.nickname}</span>
            <Button component={Link} to={paths.myCourses()} variant="default" size="compact-xs">
              {t('我的课程')}
            </Button>
          </>
        )}
        {tabs.map((known) => {
          const { word, Icon } = tabWords[known];
          return (
            <button
              key={known}
              type="button"
              className={icon.button}
              title={word()}
              aria-label={word()}
              onClick={() => open(known)}
            >
              <Icon size={20} stroke={1.6} aria-hidden />
            </button>
          );
        })}
      </div>
      <div className={classes.whole}>
        <div className={classes.head}>
          <p className={classes.packName}>
            <Link to={paths.course(packId)}>{pack.packageName}</Link>
          </p>
          <button
            type="button"
            className={`${icon.button} ${classes.fold}`}
            aria-label={t('收起面板')}
            aria-expanded
            onClick={() => fold(true)}
          >
            <IconLayoutSidebarRightCollapse size={20} stroke={1.6} aria-hidden />
          </button>
        </div>
        <Tabs
          value={String(tab)}
          onChange={(value) => {
            const chosen = tabs.find((known) => String(known) === value);
            if (chosen !== undefined) open(chosen);
          }}
          keepMounted={false}
          className={classes.tabs}
        >
          <Tabs.List className={classes.tabList}>
            {tabs.map((known) => (
              <Tabs.Tab key={known} value={String(known)}>
                {tabWords[known].word()}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map((known) => (
            <Tabs.Panel key={known} value={String(known)} className={classes.scroll} data-scrolls>
              {panels[known]}
            </Tabs.Panel>
          ))}
        </Tabs>
      </div>
    </aside>
  );
}

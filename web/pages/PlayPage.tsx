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
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { LONGEST_MEDIA, nodeState } from '#contract/values/play.ts';
import { foldersAbove, lessonsIn, nextLesson, type PlayNode } from '#rules/play/directory.ts';
import { RowBones, TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import icon from '#ui/icon-button.module.css';
import { fetchEngine } from '#ui/player/engine.ts';
import { useFullscreen } from '#ui/player/useFullscreen.ts';
import { RichText } from '#ui/RichText.tsx';
import { toast } from '#ui/toast.ts';
import { useLate } from '#ui/useLate.ts';
import { NotFound } from '#web/app/NotFound.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { useMe } from '#web/lib/me.ts';
import { idFrom, paths } from '#web/lib/paths.ts';
import { recall, remember } from '#web/lib/remember.ts';
import type { Data } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { callKey, invalidate, useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { Directory } from '#web/play/Directory.tsx';
import type { StageHandle } from '#web/play/Film.tsx';
import { LessonStage } from '#web/play/LessonStage.tsx';

import { type PlayTab, playTab, playTabs } from '#web/play/tabs.ts';
import { track } from '#web/play/tracker.ts';
import { UpNext } from '#web/play/UpNext.tsx';
import { useLeftReports } from '#web/play/useLeftReports.ts';
import type { Progress } from '#web/play/useReports.ts';
import { Avatar } from '#web/user/Avatar.tsx';
import classes from './PlayPage.module.css';
import type { BelowTab } from './PlayPanels.tsx';

/** Its own code: most who come here ask nothing. */
const CourseQuestions = lazy(() => import('#web/qa/CourseQuestions.tsx'));
const loadPanels = () => import('./PlayPanels.tsx');
type Panels = Awaited<ReturnType<typeof loadPanels>>;
/** Milliseconds until what nobody has asked for yet is fetched: the film goes first. */
const PANELS_AFTER = 2500;

type Chapters = Data<'GET /app/course/chapters'>;
type Lesson = Data<'GET /app/course/lesson'>;
const CHAPTERS = 'GET /app/course/chapters';
const LESSON = 'GET /app/course/lesson';

// Most lessons are films: what plays them comes while the page asks which it is.
fetchEngine();

/** 课程学习: the lessons of a pack with what stands beside them. The lesson and the tab are in the address. */
export default function PlayPage() {
  const packId = idFrom(useParams().packId);
  const chapters = useCall(CHAPTERS, { packId: packId ?? 0 }, { enabled: packId !== null, staleTime: 0 });
  const [lessonName, setLessonName] = useState<string | null>(null);
  const packName = chapters.data?.packageName ?? t('课程');
  useTitle(lessonName === null ? packName : `${lessonName} · ${packName}`);
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
        {(pack) => <Play pack={pack} onNamed={setLessonName} />}
      </CallState>
    </div>
  );
}

/** Milliseconds between two looks at a lesson whose film is still converted. */
const LOOK_AGAIN = 15_000;

/** Says why a lesson does not open. */
function tellLocked(pack: Chapters, lessonId: number): void {
  track('video locked', { packId: pack.packId, lessonId });
  if (pack.buyState === 0) {
    toast(t('请先报名该课程'));
    return;
  }
  toast(t('该视频未解锁，无法播放'), 'bad');
  toast(t('完成上一节后解锁'));
}

function Play({ pack, onNamed }: { pack: Chapters; onNamed: (lesson: string | null) => void }) {
  const { packId, current } = pack;
  const [search, setSearch] = useSearchParams();
  const client = useQueryClient();
  // Where to go on is said once: finishing a lesson does not take it away from under its reader.
  const [first] = useState(current?.firstVideoId ?? null);
  const lessonId = idFrom(search.get('lesson')) ?? first ?? current?.firstVideoId ?? null;
  const { me, ready, failed } = useMe();
  const { studentId = null } = me ?? {};
  const renew = () => {
    for (const name of [CHAPTERS, LESSON, 'GET /app/course/credits'] as const) void invalidate(client, name);
  };
  const settled = useLeftReports(studentId, renew);
  const input = { packId, firstVideoId: lessonId ?? 0 };
  const lesson = useCall(LESSON, input, {
    enabled: lessonId !== null && (ready || failed !== null) && settled,
    staleTime: 0,
    // Where it goes on is asked anew each time it is opened.
    gcTime: 0,
    refetchInterval: (waits) => (waits?.waitsForMedia ? LOOK_AGAIN : false),
  });
  const lessonName = lesson.data?.firstVideoName ?? null;
  useEffect(() => onNamed(lessonName), [onNamed, lessonName]);
  // It outlives the lesson: who goes through a course in full screen stays there.
  const frame = useRef<HTMLDivElement>(null);
  const screen = useFullscreen(frame);
  const { full } = screen;
  const leaveFull = useEffectEvent(screen.leave);
  const isFilm = lesson.data?.videoResourceId !== null && lesson.data?.kind !== 'audio';
  useEffect(() => {
    if (full && (lesson.isError || !isFilm)) leaveFull();
  }, [full, lesson.isError, isFilm]);
  // The fourth level, which the contract has as a list of nothing, is always empty.
  const lessonsOf = (of: Chapters) => lessonsIn(of.list as readonly unknown[] as readonly PlayNode[]);
  const list = pack.list as readonly unknown[] as readonly PlayNode[];
  const lessons = lessonsOf(pack);
  const [openIds, toggle] = useOpenFolders(list, lessonId);
  const stage = useRef<StageHandle>(null);
  const [small, setSmall] = useState(() => recall(SMALL) === '1');
  const [wanted, setWanted] = useState(() => search.get('tab') !== null || search.get(BELOW) !== null);
  const panels = useLate(loadPanels, wanted ? 0 : PANELS_AFTER);
  const want = () => setWanted(true);
  // What was opened by hand, or by the end of the one before, begins by itself; `at`: where a note stands, or a link leads.
  const [chosen, setChosen] = useState<{ lessonId: number; at: number | null; plays: boolean } | null>(null);
  const [upNext, setUpNext] = useState<{ after: number; lesson: PlayNode } | null>(null);
  // Both end with their lesson, also where the way back of the browser or a link leads out of it.
  useEffect(
    () => () => {
      endings.current += 1;
      setUpNext(null);
      setChosen((was) => (was?.lessonId === lessonId ? null : was));
    },
    [lessonId],
  );
  // While another lesson is on its way, what stands beside stays as it is, and the tab that is open stays open.
  const [beside, setBeside] = useState<Lesson | null>(null);
  if (lesson.data !== undefined && lesson.data !== beside) setBeside(lesson.data);

  const open = (node: PlayNode, at: number | null = null) => {
    stage.current?.save();
    setChosen({ lessonId: node.id, at, plays: true });
    setSearch((was) => {
      const query = new URLSearchParams(was);
      query.set('lesson', String(node.id));
      return query;
    });
    window.scrollTo({ top: 0 });
  };
  // Choosing looks at `status`, going on and playing look at `lockStatus` (spec §4).
  const choose = (node: PlayNode) => {
    if (node.status === 0) {
      tellLocked(pack, node.id);
      return;
    }
    if (node.id === lessonId) return;
    track(node.videoState === 1 ? 'audio selected' : 'video selected', { packId, lessonId: node.id });
    open(node);
  };
  /** The lesson after this one, or null, having said why there is none. */
  const after = (of: Chapters): PlayNode | null => {
    const found = nextLesson(lessonsOf(of), lessonId ?? 0);
    if (found.ok) return found.lesson;
    if (found.why === 'last') {
      track('last video', { packId, lessonId: lessonId ?? 0 });
      toast(t('已是最后一个视频'));
    } else tellLocked(of, found.lesson.id);
    return null;
  };
  const next = () => {
    const found = after(pack);
    if (found !== null) open(found);
  };
  /** Told apart: what is asked at an end is over once it plays again, or another lesson is there. */
  const endings = useRef(0);
  const goesOn = () => {
    endings.current += 1;
    setUpNext(null);
  };
  const ended = async () => {
    const ending = ++endings.current;
    // What was just finished may have unlocked it.
    await invalidate(client, CHAPTERS);
    if (ending !== endings.current) return;
    const following = after(client.getQueryData<Chapters>(callKey(CHAPTERS, { packId })) ?? pack);
    setUpNext(following && lessonId !== null ? { after: lessonId, lesson: following } : null);
  };
  const before = lessons[lessons.findIndex(({ id }) => id === lessonId) - 1];
  const previous = before !== undefined && before.lockStatus !== 0 ? () => open(before) : undefined;
  const mayPlay = () => {
    if (lessons.find(({ id }) => id === lessonId)?.lockStatus !== 0) return true;
    tellLocked(pack, lessonId ?? 0);
    return false;
  };
  /** Told already: two reports of one lesson may be on their way when it is left. */
  const finished = useRef(new Set<number>());
  /** @param shown the lesson as it was shown last: what was played to its end may be told when it has been left */
  const progressed = (shown: Lesson, { nodeState: state, share, position }: Progress) => {
    const known = client.getQueryData<Lesson>(callKey(LESSON, input));
    if (known) client.setQueryData<Lesson>(callKey(LESSON, input), { ...known, nodeState: state, share, position });
    if ((known ?? shown).nodeState === state) return;
    if (state === nodeState.finished && !finished.current.has(shown.firstVideoId)) {
      finished.current.add(shown.firstVideoId);
      track('play_lesson_finished', { packId, lessonId: shown.firstVideoId });
    }
    void invalidate(client, CHAPTERS);
    void invalidate(client, 'GET /app/course/credits');
  };
  const jump = (to: { firstVideoId: number; position: number }) => {
    const node = lessons.find(({ id }) => id === to.firstVideoId);
    if (to.firstVideoId === lessonId) {
      stage.current?.seek(to.position);
      window.scrollTo({ top: 0 });
    } else if (node === undefined || node.lockStatus === 0) tellLocked(pack, to.firstVideoId);
    else open(node, to.position);
  };
  const linkedTo = secondOf(search.get('at'));
  useEffect(() => {
    if (linkedTo === null) return;
    // A link to the lesson that is there already; another one begins at its second once it is there.
    if (stage.current !== null) {
      stage.current.seek(linkedTo);
      window.scrollTo({ top: 0 });
    } else if (lessonId !== null) setChosen({ lessonId, at: linkedTo, plays: false });
    // Used up: a reload goes on where one was.
    setSearch(
      (was) => {
        const query = new URLSearchParams(was);
        query.delete('at');
        return query;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [linkedTo, lessonId, setSearch]);
  const directory = (
    <Directory
      list={list}
      courses={pack.courses}
      trials={pack.buyState === 0}
      currentId={lessonId}
      openIds={openIds}
      onToggle={toggle}
      onChoose={choose}
      audio={lessons.every(({ kind }) => kind === 'audio')}
    />
  );
  const bought = pack.buyState === 1;
  return (
    <div className={classes.columns}>
      <div className={classes.main} data-small={small || undefined}>
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
          <div ref={frame} className={classes.frame} data-full={full || undefined}>
            <CallState
              call={lesson}
              skeleton={<RowBones count={1} height={240} />}
              refusals={{
                notFound: <Gone packId={packId} />,
                lessonLocked: <Locked />,
                notEnrolled: <Join packId={packId} />,
              }}
            >
              {(shown) => (
                <LessonStage
                  key={shown.firstVideoId}
                  lesson={shown}
                  album={pack.packageName}
                  kept={bought}
                  at={chosen?.lessonId === lessonId ? chosen.at : null}
                  autoPlay={chosen?.lessonId === lessonId && chosen.plays}
                  mayPlay={mayPlay}
                  onProgress={(progress) => progressed(shown, progress)}
                  onRead={renew}
                  onEnded={() => void ended()}
                  onAgain={goesOn}
                  // What else belongs to who has bought the course comes and goes with it.
                  onRight={() => void invalidate(client, CHAPTERS)}
                  onPrevious={previous}
                  onNext={next}
                  small={small}
                  onSize={(now) => {
                    setSmall(now);
                    remember(SMALL, now ? '1' : '0');
                  }}
                  handle={stage}
                  screen={screen}
                >
                  {upNext?.after === lessonId && (
                    <UpNext name={upNext.lesson.name} onGo={() => open(upNext.lesson)} onStay={() => setUpNext(null)} />
                  )}
                </LessonStage>
              )}
            </CallState>
          </div>
        )}
        {lesson.data && (
          <Below
            key={lesson.data.firstVideoId}
            lesson={lesson.data}
            bought={bought}
            panels={panels}
            onWanted={want}
            second={() => Math.floor(stage.current?.position() ?? 0)}
            onJump={jump}
          />
        )}
      </div>
      {bought ? (
        <SidePanel
          pack={pack}
          lesson={lesson.data ?? (lesson.error ? null : beside)}
          directory={directory}
          panels={panels}
          onWanted={want}
        />
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

/** The second of a lesson that an address names; null: none. */
function secondOf(named: string | null): number | null {
  const second = Number(named ?? '');
  return named !== null && Number.isInteger(second) && second >= 0 && second <= LONGEST_MEDIA ? second : null;
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

/** In the place of a panel whose code is on its way. */
const Coming = () => <RowBones count={3} height={76} />;

interface LateProps {
  /** Null: not there yet. */
  panels: Panels | null;
  /** One of them is looked for now. */
  onWanted: () => void;
}

const BELOW = 'below';

/** 简介, 评论, 答疑 and 笔记 under the stage; under the introduction what else there is to do. */
function Below({
  lesson,
  bought,
  second,
  onJump,
  panels,
  onWanted,
}: LateProps & {
  lesson: Lesson;
  bought: boolean;
  second: () => number;
  onJump: (to: { firstVideoId: number; position: number }) => void;
}) {
  const { packId, firstVideoId } = lesson;
  const answers = lesson.isAnswer === 1;
  const [search, setSearch] = useSearchParams();
  const tabs = ['profile', 'comments', ...(answers ? ['questions'] : []), ...(bought ? ['notes'] : [])];
  // In the address: it stays from lesson to lesson, and over a reload.
  const tab = tabs.find((known) => known === search.get(BELOW)) ?? 'profile';
  const open = (now: string | null) => {
    onWanted();
    setSearch(
      (was) => {
        const query = new URLSearchParams(was);
        if (now === null || now === 'profile') query.delete(BELOW);
        else query.set(BELOW, now);
        return query;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  const show = (tab: BelowTab) =>
    panels ? <panels.BelowContent {...{ tab, lesson, bought, second, onJump }} /> : tab !== 'profile' && <Coming />;
  return (
    <Tabs value={tab} keepMounted={false} className={classes.below} onChange={open}>
      <Tabs.List>
        <Tabs.Tab value="profile">{t('简介')}</Tabs.Tab>
        <Tabs.Tab value="comments">{t('评论')}</Tabs.Tab>
        {answers && <Tabs.Tab value="questions">{t('答疑')}</Tabs.Tab>}
        {bought && <Tabs.Tab value="notes">{tIn('tab', '笔记')}</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="profile" className={classes.profile}>
        {lesson.profile === '' ? (
          <p className={classes.none}>{t('本节课程暂无简介')}</p>
        ) : (
          <RichText html={lesson.profile} className="reading" />
        )}
        {show('profile')}
      </Tabs.Panel>
      <Tabs.Panel value="comments" className={classes.panel}>
        {bought ? show('comments') : <p className={classes.none}>{t('报名后可以看到评论，也可以发表评论')}</p>}
      </Tabs.Panel>
      {answers && (
        <Tabs.Panel value="questions" className={classes.panel}>
          <Suspense>
            <CourseQuestions
              packId={packId}
              lessonId={firstVideoId}
              courseId={lesson.firstCourseId}
              position={lesson.videoResourceId === null ? undefined : second}
            />
          </Suspense>
        </Tabs.Panel>
      )}
      {bought && (
        <Tabs.Panel value="notes" className={classes.panel}>
          {show('notes')}
        </Tabs.Panel>
      )}
    </Tabs>
  );
}

const tabWords: Readonly<Record<PlayTab, { word: () => string; Icon: ComponentType<IconProps> }>> = {
  [playTab.chapters]: { word: () => tIn('tab', '章节'), Icon: IconListTree },
  [playTab.comments]: { word: () => t('评论'), Icon: IconMessage },
  [playTab.slides]: { word: () => t('课件'), Icon: IconFileTypePdf },
  [playTab.practice]: { word: () => t('练一练'), Icon: IconWriting },
  [playTab.credits]: { word: () => t('我的学分'), Icon: IconAward },
  [playTab.files]: { word: () => t('资料'), Icon: IconFolder },
};

const FOLDED = 'play-panel-folded';
const SMALL = 'play-stage-small';

/** What stands beside the stage for who has bought the pack; it folds to a strip of shortcuts (spec §2). */
function SidePanel({
  pack,
  lesson,
  directory,
  panels,
  onWanted,
}: LateProps & { pack: Chapters; lesson: Lesson | null; directory: ReactNode }) {
  const { packId } = pack;
  const { me } = useMe();
  const [search, setSearch] = useSearchParams();
  const [folded, setFolded] = useState(() => recall(FOLDED) === '1');
  const tabs = playTabs({ lesson, scoreState: pack.scoreState, hasParent: search.get('parentId') !== null });
  const asked = Number(search.get('tab'));
  const tab = tabs.find((known) => known === asked) ?? playTab.chapters;
  const panel = useRef<HTMLElement>(null);
  // Where the keyboard goes once what had it is out of sight: to the tab that opens, or to the button that undoes it.
  const goesTo = useRef<PlayTab | 'fold' | 'unfold' | null>(null);
  useEffect(() => {
    const to = goesTo.current;
    // The address changes a moment after the panel.
    if (to === null || (typeof to === 'number' && to !== tab)) return;
    goesTo.current = null;
    const found = typeof to === 'number' ? '[role=tab][aria-selected=true]' : `[data-does=${to}]`;
    panel.current?.querySelector<HTMLElement>(found)?.focus({ preventScroll: true });
  });
  const fold = (now: boolean) => {
    setFolded(now);
    remember(FOLDED, now ? '1' : '0');
  };
  const open = (now: PlayTab, { gone = false }: { gone?: boolean } = {}) => {
    if (gone) goesTo.current = now;
    onWanted();
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
  const show = (known: PlayTab): ReactNode => {
    if (known === playTab.chapters) return directory;
    if (panels === null) return <Coming />;
    const content = (
      <panels.SideContent
        tab={known}
        packId={packId}
        lesson={lesson}
        onClose={() => open(playTab.chapters, { gone: true })}
      />
    );
    return known === playTab.comments ? <div className={classes.padded}>{content}</div> : content;
  };
  return (
    <aside ref={panel} className={classes.side} data-folded={folded || undefined} aria-label={t('学习面板')}>
      <div className={classes.strip}>
        <button
          type="button"
          className={icon.button}
          data-does="unfold"
          aria-label={t('展开面板')}
          aria-expanded={false}
          onClick={() => {
            goesTo.current = 'fold';
            fold(false);
          }}
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
              onClick={() => open(known, { gone: true })}
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
            data-does="fold"
            aria-label={t('收起面板')}
            aria-expanded
            onClick={() => {
              goesTo.current = 'unfold';
              fold(true);
            }}
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
              {show(known)}
            </Tabs.Panel>
          ))}
        </Tabs>
      </div>
    </aside>
  );
}

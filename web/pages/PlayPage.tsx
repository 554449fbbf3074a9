import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { LONGEST_MEDIA, nodeState } from '#contract/values/play.ts';
import { foldersAbove, type PlayNode } from '#rules/play/directory.ts';
import { FilmBones, TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { fetchEngine } from '#ui/player/engine.ts';
import { useFullscreen } from '#ui/player/useFullscreen.ts';
import { useLate } from '#ui/useLate.ts';
import { NotFound } from '#web/app/NotFound.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { useMe } from '#web/lib/me.ts';
import { idFrom, paths } from '#web/lib/paths.ts';
import { recall, remember } from '#web/lib/remember.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { callKey, invalidate, useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { Directory } from '#web/play/Directory.tsx';
import { EndsHere } from '#web/play/EndsHere.tsx';
import type { StageHandle } from '#web/play/Film.tsx';
import { LessonStage } from '#web/play/LessonStage.tsx';
import { CHAPTERS, type Chapters, lessonsOf, tellLocked, treeOf } from '#web/play/pack-lessons.ts';
import { track } from '#web/play/tracker.ts';
import { UpNext } from '#web/play/UpNext.tsx';
import { useLeftReports } from '#web/play/useLeftReports.ts';
import { useNextLesson } from '#web/play/useNextLesson.ts';
import type { Progress } from '#web/play/useReports.ts';
import { loadPanels } from './late-panels.tsx';
import { BELOW, PlayBelow } from './PlayBelow.tsx';
import classes from './PlayPage.module.css';
import { SidePanel, TrialPanel } from './PlaySide.tsx';

/** Milliseconds until what nobody has asked for yet is fetched: the film goes first. */
const PANELS_AFTER = 2500;

type Lesson = Data<'GET /app/course/lesson'>;
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

const SMALL = 'play-stage-small';

/** Milliseconds between two looks at a lesson whose film is still converted. */
const LOOK_AGAIN = 15_000;

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
  const settled = useLeftReports(studentId, lessonId, renew);
  const input = { packId, firstVideoId: lessonId ?? 0 };
  const lesson = useCall(LESSON, input, {
    enabled: lessonId !== null && (ready || failed !== null) && settled,
    staleTime: 0,
    // Where it goes on is asked anew each time it is opened.
    gcTime: 0,
    refetchInterval: (waits) => (waits?.waitsForMedia ? LOOK_AGAIN : false),
  });
  const lessonName = lesson.data?.firstVideoName ?? null;
  const prepared = useEffectEvent(() => void invalidate(client, CHAPTERS));
  /** The lesson whose film was still converted when it was asked for last: once it is there, the directory says how long it is. */
  const converted = useRef<number | null>(null);
  const { firstVideoId: askedId, waitsForMedia } = lesson.data ?? {};
  useEffect(() => {
    if (askedId === undefined) return;
    if (converted.current === askedId && !waitsForMedia) prepared();
    converted.current = waitsForMedia ? askedId : null;
  }, [askedId, waitsForMedia]);
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
  const list = treeOf(pack);
  const lessons = lessonsOf(pack);
  const [openIds, toggle] = useOpenFolders(list, lessonId);
  const stage = useRef<StageHandle>(null);
  const [small, setSmall] = useState(() => recall(SMALL) === '1');
  const [wanted, setWanted] = useState(() => search.get('tab') !== null || search.get(BELOW) !== null);
  const panels = useLate(loadPanels, wanted ? 0 : PANELS_AFTER);
  const want = () => setWanted(true);
  // What was opened by hand, or by the end of the one before, begins by itself; `at`: where a note stands, or a link leads.
  const [chosen, setChosen] = useState<{ lessonId: number; at: number | null; plays: boolean } | null>(null);
  // It ends with its lesson, also where the way back of the browser or a link leads out of it.
  useEffect(() => () => setChosen((was) => (was?.lessonId === lessonId ? null : was)), [lessonId]);
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
  const next = useNextLesson(pack, lessonId, open);
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
              skeleton={<FilmBones />}
              refusals={{
                notFound: <Gone packId={packId} />,
                lessonLocked: <Locked way={wayTo(lessons, lessonId)} onGo={open} />,
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
                  onEnded={() => void next.ended()}
                  onAgain={next.stay}
                  // What else belongs to who has bought the course comes and goes with it; and its teacher may have given it another film.
                  onRight={renew}
                  onPrevious={previous}
                  onNext={next.goOn}
                  small={small}
                  onSize={(now) => {
                    setSmall(now);
                    remember(SMALL, now ? '1' : '0');
                  }}
                  handle={stage}
                  screen={screen}
                >
                  {next.announced !== null && (
                    <UpNext
                      name={next.announced.name}
                      onGo={next.goThere}
                      onOver={() => void next.goByItself()}
                      onStay={next.stay}
                    />
                  )}
                  {next.locked !== null && <EndsHere lesson={shown} bought={bought} next={next.locked.name} />}
                </LessonStage>
              )}
            </CallState>
          </div>
        )}
        {lesson.data && (
          <PlayBelow
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
        <TrialPanel pack={pack} directory={directory} />
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

/** The lesson that is to be finished before a locked one opens; null: none is known. */
function wayTo(lessons: readonly PlayNode[], lockedId: number): PlayNode | null {
  const at = lessons.findIndex(({ id }) => id === lockedId);
  const opens = ({ lockStatus, certState, nodeState: state }: PlayNode) =>
    lockStatus !== 0 && certState !== 0 && state !== nodeState.finished;
  return lessons.slice(0, Math.max(0, at)).findLast(opens) ?? null;
}

function Locked({ way, onGo }: { way: PlayNode | null; onGo: (lesson: PlayNode) => void }) {
  return (
    <EmptyState
      text={t('该视频未解锁，无法播放')}
      action={
        <>
          <p>{t('完成上一节后解锁')}</p>
          {way !== null && <Button onClick={() => onGo(way)}>{t('去学习：{name}', { name: way.name })}</Button>}
        </>
      }
    />
  );
}

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

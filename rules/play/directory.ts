import { type LessonKind, leaf, type NodeState, nodeState } from '#contract/values/play.ts';

/** A lesson as the directory knows it. */
export interface DirectoryLesson {
  id: number;
  name: string;
  courseId: number;
  /** Null: at the top of its course. */
  chapterId: number | null;
  kind: LessonKind;
  /** Whole seconds of its media; 0: none. */
  duration: number;
  mediaId: number | null;
  elective: boolean;
  trial: boolean;
  /** It waits for its media, or has neither media nor text: nobody can finish it (yet). */
  unready: boolean;
  /** The lesson that a sequential pack wants finished first. */
  afterId: number | null;
}

/** A chapter as it is stored. */
interface DirectoryChapter {
  id: number;
  name: string;
  courseId: number;
  parentId: number | null;
  level: number;
}

/** What one person has done in a lesson. */
export interface DirectoryProgress {
  state: NodeState;
  /** When they were last in it, epoch milliseconds. */
  lastAt: number;
}

/** Who looks at the directory. */
export interface Viewer {
  enrolled: boolean;
  sequential: boolean;
  progress: ReadonlyMap<number, DirectoryProgress>;
}

/** A node of the directory, as spec §3 names its fields. */
export interface PlayNode {
  id: number;
  name: string;
  level: number;
  leaf: number;
  duration: number;
  childes: PlayNode[];
  isShow: number;
  videoResourceId: number | null;
  firstVideoId: number;
  firstCourseId: number;
  certState: number;
  status: number;
  nodeState: NodeState;
  lockStatus: number;
  videoState: number;
  kind: LessonKind;
  trial: boolean;
}

/**
 * Whether somebody may open a lesson (decisions §4): a trial lesson everybody; in a free pack all who are enrolled; in a
 * sequential one when the lesson that has to be finished first (`waitsFor`) is finished. What was begun once stays open, also when
 * the school puts the lessons in another order.
 */
export function isOpen(
  lesson: Pick<DirectoryLesson, 'trial' | 'afterId'>,
  viewer: Pick<Viewer, 'enrolled' | 'sequential'>,
  of: { own: NodeState; before: NodeState },
): boolean {
  if (lesson.trial) return true;
  if (!viewer.enrolled) return false;
  if (!viewer.sequential || lesson.afterId === null) return true;
  return of.own !== nodeState.notStarted || of.before === nodeState.finished;
}

/** A lesson as far as it decides what comes after it. */
type Ahead = Pick<DirectoryLesson, 'afterId' | 'unready'>;

/** The lessons before one, the nearest first, up to the first that can be finished. */
export function lessonsAhead(lesson: Pick<Ahead, 'afterId'>, byId: ReadonlyMap<number, Ahead>): number[] {
  const ahead: number[] = [];
  // No more than there are: a circle in what is stored ends, too.
  for (let at = lesson.afterId; at !== null && ahead.length < byId.size; ) {
    const before = byId.get(at);
    if (!before) break;
    ahead.push(at);
    at = before.unready ? before.afterId : null;
  }
  return ahead;
}

/**
 * Which lesson has to be finished before one: the one before it. Those that nobody can finish yet are passed over: they hold up nobody,
 * and open nothing that the lesson before them keeps shut.
 * @param isFinished whether the viewer has finished a lesson; it counts also where that lost its media later
 * @returns null: none
 */
export function waitsFor(
  lesson: Pick<Ahead, 'afterId'>,
  byId: ReadonlyMap<number, Ahead>,
  isFinished: (id: number) => boolean,
): number | null {
  return lessonsAhead(lesson, byId).find((id) => isFinished(id) || !byId.get(id)?.unready) ?? null;
}

/**
 * Which lesson a sequential pack wants finished before each: the one before it in its course that is not elective, since
 * nobody has to finish those.
 * @param lessons in their order
 */
export function lessonsBefore(
  lessons: readonly { slug: string; course: string; elective: boolean }[],
): Map<string, string | null> {
  const last = new Map<string, string>();
  return new Map(
    lessons.map(({ slug, course, elective }) => {
      const before = last.get(course) ?? null;
      if (!elective) last.set(course, slug);
      return [slug, before];
    }),
  );
}

/** Which of these lessons a viewer may open, by id. */
export function openLessons(lessons: readonly DirectoryLesson[], viewer: Viewer): Map<number, boolean> {
  const byId = new Map(lessons.map((lesson) => [lesson.id, lesson]));
  const stateOf = (id: number) => viewer.progress.get(id)?.state ?? nodeState.notStarted;
  return new Map(
    lessons.map((lesson) => {
      const before = waitsFor(lesson, byId, (id) => stateOf(id) === nodeState.finished);
      const states = { own: stateOf(lesson.id), before: before === null ? nodeState.finished : stateOf(before) };
      return [lesson.id, isOpen(lesson, viewer, states)];
    }),
  );
}

/**
 * The directory: the chapters of a course that hold lessons, each with its sections and its own lessons after them.
 * @param lessons of the course, in their order
 */
export function growDirectory(
  chapters: readonly DirectoryChapter[],
  lessons: readonly DirectoryLesson[],
  viewer: Viewer,
): PlayNode[] {
  const open = openLessons(lessons, viewer);
  const known = new Set(chapters.map(({ id }) => id));
  const lessonNode = (lesson: DirectoryLesson, level: number): PlayNode => {
    const status = open.get(lesson.id) ? 1 : 0;
    return {
      id: lesson.id,
      name: lesson.name,
      level,
      leaf: leaf.playable,
      duration: lesson.duration,
      childes: [],
      isShow: 1,
      videoResourceId: lesson.mediaId,
      firstVideoId: lesson.id,
      firstCourseId: lesson.courseId,
      certState: lesson.elective ? 0 : 1,
      status,
      nodeState: viewer.progress.get(lesson.id)?.state ?? nodeState.notStarted,
      lockStatus: status,
      videoState: lesson.kind === 'audio' ? 1 : 0,
      kind: lesson.kind,
      trial: lesson.trial,
    };
  };
  // A lesson whose chapter is not on offer any more stands at the top.
  const placeOf = ({ chapterId }: DirectoryLesson) => (chapterId !== null && known.has(chapterId) ? chapterId : null);
  const below = (parentId: number | null, level: number): PlayNode[] => {
    const folders = chapters
      .filter(
        (chapter) => (chapter.parentId !== null && known.has(chapter.parentId) ? chapter.parentId : null) === parentId,
      )
      .flatMap((chapter) => {
        const childes = level >= 3 ? [] : below(chapter.id, level + 1);
        const [first] = childes;
        return first === undefined ? [] : [folderNode(chapter, level, childes, first)];
      });
    const own = lessons.filter((lesson) => placeOf(lesson) === parentId).map((lesson) => lessonNode(lesson, level));
    return [...own, ...folders];
  };
  return below(null, 1);
}

function folderNode(chapter: DirectoryChapter, level: number, childes: PlayNode[], first: PlayNode): PlayNode {
  const states = childes.map((child) => child.nodeState);
  const all = (state: NodeState) => states.every((one) => one === state);
  const open = childes.some(({ status }) => status === 1) ? 1 : 0;
  return {
    id: -chapter.id,
    name: chapter.name,
    level,
    leaf: leaf.folder,
    duration: childes.reduce((sum, child) => sum + child.duration, 0),
    childes,
    isShow: 1,
    videoResourceId: null,
    firstVideoId: first.firstVideoId,
    firstCourseId: first.firstCourseId,
    certState: 1,
    status: open,
    nodeState: all(nodeState.finished)
      ? nodeState.finished
      : all(nodeState.notStarted)
        ? nodeState.notStarted
        : nodeState.inProgress,
    lockStatus: open,
    videoState: 0,
    kind: first.kind,
    trial: childes.some(({ trial }) => trial),
  };
}

/**
 * What stands nearest to a lesson: at its chapter, else at the one above that, and so on.
 * @param things in their order; those without a question are passed over
 * @param chapterId the lesson's; null: it stands at the top of its course, where nothing is above it
 */
export function nearestOf<T extends { chapterId: number; totalQuestion: number }>(
  things: readonly T[],
  chapterId: number | null,
  chapters: readonly { id: number; parentId: number | null }[],
): T | null {
  const parents = new Map(chapters.map(({ id, parentId }) => [id, parentId]));
  const passed = new Set<number>();
  for (let at = chapterId; at !== null && !passed.has(at); at = parents.get(at) ?? null) {
    passed.add(at);
    const found = things.find((thing) => thing.chapterId === at && thing.totalQuestion > 0);
    if (found) return found;
  }
  return null;
}

/** What a directory is read by: a node and those below it. */
interface Branch {
  id: number;
  leaf: number;
  childes: readonly Branch[];
}

/** The lessons of a directory in the order in which it shows them. */
export function lessonsIn<N extends { leaf: number; childes: readonly unknown[] }>(nodes: readonly N[]): N[] {
  return nodes.flatMap((node) => (node.leaf === leaf.playable ? [node] : lessonsIn(node.childes as readonly N[])));
}

/** The folders above a lesson, from the top: those that are open on the screen. */
export function foldersAbove(nodes: readonly Branch[], lessonId: number): number[] {
  for (const node of nodes) {
    if (node.leaf === leaf.playable) {
      if (node.id === lessonId) return [];
      continue;
    }
    if (lessonsIn(node.childes).some(({ id }) => id === lessonId))
      return [node.id, ...foldersAbove(node.childes, lessonId)];
  }
  return [];
}

/** A lesson of a directory, as far as going on with it goes. */
interface Step {
  id: number;
  lockStatus: number;
  nodeState: NodeState;
}

type NextLesson<L> = { ok: true; lesson: L } | { ok: false; why: 'last' } | { ok: false; why: 'locked'; lesson: L };

/** The lesson after this one (spec §4): none after the last, none where it is locked. */
export function nextLesson<L extends Step>(lessons: readonly L[], currentId: number): NextLesson<L> {
  const next = lessons[lessons.findIndex(({ id }) => id === currentId) + 1];
  if (next === undefined) return { ok: false, why: 'last' };
  return next.lockStatus === 0 ? { ok: false, why: 'locked', lesson: next } : { ok: true, lesson: next };
}

/**
 * The lesson to go on with: the one where the student was last, until it is finished; then the next that is open and not
 * finished, from there on and else from the beginning; nothing left: where they were last; nothing open: none.
 * @param unready lessons that nobody can finish yet: they lead nowhere, and are passed over
 */
export function resumeAt<L extends Step>(
  lessons: readonly L[],
  progress: Viewer['progress'],
  unready: ReadonlySet<number>,
): L | null {
  const open = lessons.filter(({ lockStatus }) => lockStatus !== 0);
  const last = open.reduce<L | null>((newest, lesson) => {
    const at = progress.get(lesson.id)?.lastAt ?? 0;
    return at > 0 && at >= (progress.get(newest?.id ?? 0)?.lastAt ?? 0) ? lesson : newest;
  }, null);
  const isLeft = (lesson: L) => lesson.nodeState !== nodeState.finished && !unready.has(lesson.id);
  if (last && isLeft(last)) return last;
  const after = last ? open.slice(open.indexOf(last) + 1) : open;
  return after.find(isLeft) ?? open.find(isLeft) ?? last ?? open[0] ?? null;
}

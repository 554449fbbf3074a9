import { Type } from 'typebox';
import { ClientId, call, HEAVY, Id, Millis, Nullable, OneOf, Page, PageNum, PageSize, YesNo } from './call.ts';
import { Pack } from './course.ts';
import { SetFormulas } from './exam.ts';
import { RECOMMENDED_PACKS } from './values/course.ts';
import { practiceKinds, schoolScoredKinds } from './values/exam.ts';
import { LONGEST_MEDIA, lessonKinds, MOST_PLACES, NOTE_LONGEST, nodeStates } from './values/play.ts';

const Kind = OneOf(lessonKinds, { description: 'what it is made of; text: neither video nor audio' });
const NodeState = OneOf(nodeStates, { description: '1 未学习 · 2 学习中 · 3 已学完' });
/** A place in a lesson's media. */
const Seconds = Type.Number({ minimum: 0, maximum: LONGEST_MEDIA, description: 'seconds' });
const LessonId = Type.Integer({ ...Id, description: 'the lesson' });
/** A credit is counted in halves at the least. */
const Credits = Type.Number({ description: 'in steps of 0.5' });

// ---- the directory ----

const playNode = <T extends ReturnType<typeof Type.Array>>(childes: T) =>
  Type.Object({
    id: Type.Integer({
      description:
        'of a lesson its id; of a folder that of its chapter as a negative number, since both stand in one tree and the playing row is found by its id alone',
    }),
    name: Type.String(),
    level: Type.Integer({ description: '1 to 3' }),
    leaf: Type.Integer({ description: '1 a folder · 2 a lesson that can be played' }),
    duration: Type.Integer({ description: 'whole seconds; 0: not known' }),
    childes,
    isShow: YesNo,
    videoResourceId: Nullable(Type.Integer({ description: 'the media to ask the playback signature for; null: none' })),
    firstVideoId: Type.Integer({ description: 'the lesson; of a folder the first one in it' }),
    firstCourseId: Type.Integer({ description: 'the course in which it stands' }),
    certState: Type.Integer({ description: '0 elective (选修) · 1 not' }),
    status: Type.Integer({ description: '0 locked · 1 available' }),
    nodeState: NodeState,
    lockStatus: Type.Integer({ description: '0 locked · 1 available' }),
    videoState: Type.Integer({ description: '1 audio · 0 anything else' }),
    kind: Kind,
    trial: Type.Boolean({ description: 'open to everybody (试听)' }),
  });
/** A chapter with its sections and lessons: three levels (spec §3 Chapter node). */
const PlayNode = playNode(Type.Array(playNode(Type.Array(playNode(Type.Array(Type.Null(), { maxItems: 0 }))))));

const CurrentPlay = Type.Object({ firstCourseId: Id, firstVideoId: Id });

export const PlayChapters = call('GET /app/course/chapters', {
  says: 'The lessons of a pack as the directory shows them to the caller, and the one to go on with.',
  source: 'spec §2 Course play page, §3 Chapter node; decisions §2, §4',
  who: 'visitor',
  input: Type.Object({
    packId: Id,
    courseId: Type.Optional(Id),
    parentId: Type.Optional(
      Type.Integer({ ...Id, minimum: 0, description: 'as the spec’s pages send it, 0: none; changes nothing' }),
    ),
  }),
  data: Type.Object({
    packId: Id,
    packageName: Type.String(),
    buyState: YesNo,
    scoreState: YesNo,
    courses: Type.Array(Type.Object({ courseId: Id, name: Type.String() }), {
      description: 'those that have lessons, in order',
    }),
    list: Type.Array(PlayNode, { description: 'the nodes of the first level of all these courses, in order' }),
    current: Nullable(CurrentPlay),
    openIds: Type.Array(Type.Integer(), { description: 'ids of the folders above the current lesson' }),
  }),
  refuses: ['notFound'],
  limits: HEAVY,
});

export const ReadLesson = call('GET /app/course/lesson', {
  says: 'One lesson with what stands beside it, for those who may open it.',
  source: 'spec §3 Course info, §2 Course play page; decisions §4',
  who: 'visitor',
  input: Type.Object({ packId: Id, firstVideoId: LessonId }),
  data: Type.Object({
    packId: Id,
    parentId: Nullable(Type.Integer({ description: 'always null: packs do not stand in packs here' })),
    firstCourseId: Id,
    firstVideoId: Id,
    firstVideoName: Type.String(),
    kind: Kind,
    videoState: Type.Integer({ description: '1 audio · 0 anything else' }),
    videoResourceId: Nullable(Type.Integer({ description: 'the media that can be played; null: none (yet)' })),
    duration: Type.Integer({ description: 'whole seconds of it; 0: none' }),
    waitsForMedia: Type.Boolean({ description: 'the school has named a video or an audio that is not ready yet' }),
    mediaFailed: Type.Boolean({ description: 'what the school has named cannot be played; nothing else is there' }),
    poster: Type.String({
      description: 'address of its picture: the school’s own, or one of the film, which its grant opens; empty: none',
    }),
    subtitles: Type.Array(
      Type.Object({
        lang: Type.String({ description: 'BCP 47' }),
        label: Type.String(),
        src: Type.String({ description: 'address of the WebVTT, which the grant of its media opens' }),
      }),
    ),
    certState: Type.Integer({ description: '0 elective (选修) · 1 not' }),
    credits: Credits,
    profile: Type.String({ description: '简介, sanitized HTML' }),
    text: Type.String({ description: 'what a lesson without media consists of, sanitized HTML' }),
    pptUrl: Type.String({ description: 'address of the slides; empty: none' }),
    practiceArr: Type.Array(
      Type.Object({
        examId: Id,
        name: Type.String(),
        total: Type.Integer({ description: 'its questions' }),
        done: Type.Integer({ description: 'those the caller has answered' }),
        credits: Credits,
      }),
      { description: '练一练: open to those who are enrolled' },
    ),
    courseFileCateArr: Type.Array(
      Type.Object({
        id: Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: '0: files that stand in no folder',
        }),
        name: Type.String(),
      }),
      { description: 'categories of the pack’s files: the folders at the top; for those who are enrolled' },
    ),
    isAnswer: YesNo,
    nodeState: NodeState,
    position: Type.Number({ description: 'seconds; where the caller was last' }),
    startAt: Type.Number({ description: 'seconds; where to begin: a finished lesson begins anew' }),
    watched: Type.Integer({ description: 'whole seconds that the server believes' }),
    share: Type.Number({ description: 'share of the media that was seen, 0 to 1' }),
    shareNeeded: Type.Number({
      description: 'share of it that has to be seen for the lesson to be finished, 0 to 1; not of an elective one',
    }),
    formulas: SetFormulas,
  }),
  refuses: ['notFound', 'notEnrolled', 'lessonLocked'],
});

// ---- progress ----

const WhoseReport = Type.Optional(
  Type.Integer({
    ...Id,
    description: 'who watched, where the sender knows it; where somebody else has signed in meanwhile: notSignedIn',
  }),
);

const Progress = Type.Object({
  nodeState: NodeState,
  position: Seconds,
  share: Type.Number({ description: 'share of the media that was seen, 0 to 1' }),
  believed: Type.Number({ description: 'seconds of this report that count' }),
});

export const SavePosition = call('POST /app/course/save_position', {
  says: 'Keeps the place in a lesson, and begins or finishes one without media. Of a film the page says its place by a report, also before another lesson is opened.',
  source: 'spec §4 Video panel; decisions §2, §4',
  who: 'enrolled',
  gathered: true,
  input: Type.Object({
    packId: Id,
    firstVideoId: LessonId,
    position: Seconds,
    ended: Type.Optional(
      OneOf([0, 1] as const, { description: '1: the player said that it is over; of a text: it was read' }),
    ),
    studentId: WhoseReport,
  }),
  data: Progress,
  refuses: ['notFound', 'notEnrolled', 'lessonLocked', 'beyondEnd'],
});

export const ReportDuration = call('POST /app/course/report_duration', {
  says: 'Reports what was played: every 30 s, and the rest when it stops. It counts as far as the server’s own clock allows, for one person and not for each window.',
  source: 'spec §4 Player, §9; decisions §2, §4',
  who: 'enrolled',
  gathered: true,
  input: Type.Object({
    packId: Id,
    firstVideoId: LessonId,
    duration: Type.Number({
      minimum: 0,
      maximum: 3600,
      description: 'seconds of media that were played: those of the clock times the playback rate',
    }),
    position: Seconds,
    rate: Type.Optional(Type.Number({ minimum: 0.25, maximum: 2, description: 'left out: 2' })),
    places: Type.Optional(
      Type.Array(Type.Object({ from: Seconds, to: Seconds }), {
        maxItems: MOST_PLACES,
        description: 'what was played; left out: the `duration` before `position`',
      }),
    ),
    playId: Type.Optional(
      Type.String({ minLength: 8, maxLength: 36, description: 'of one opening of the player, by chance' }),
    ),
    seq: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'number of the report of this opening, from 1' }),
    ),
    ended: Type.Optional(OneOf([0, 1] as const, { description: '1: the player said that it is over' })),
    ago: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'milliseconds for which its sender kept it; where another opening has said more since, the place stays',
      }),
    ),
    studentId: WhoseReport,
  }),
  data: Progress,
  refuses: ['notFound', 'notEnrolled', 'lessonLocked', 'beyondEnd'],
});

export const MyCredits = call('GET /app/course/credits', {
  says: 'The caller’s credits in a pack that gives some: earned, all there are, and what is still open.',
  source: 'spec §2 Course play page; decisions §2, §4',
  who: 'enrolled',
  input: Type.Object({ packId: Id }),
  data: Type.Object({
    scoreState: YesNo,
    earned: Credits,
    total: Credits,
    open: Credits,
    list: Type.Array(
      Type.Object({
        kind: OneOf(['lesson', 'practice'] as const),
        firstVideoId: Id,
        examId: Nullable(Id),
        name: Type.String(),
        credits: Credits,
        earned: Type.Boolean(),
      }),
    ),
  }),
  refuses: ['notFound', 'notEnrolled'],
  limits: HEAVY,
});

// ---- what else there is to do, and to learn ----

export const ExamOptions = call('GET /app/course/exam_options', {
  says: 'What the caller can practise and sit beside a lesson: the practices of its chapter, and the papers of the pack by kind.',
  source: 'spec §7 Course play (exam options: not shown); docs/decisions/057-course-play-whole.md',
  who: 'enrolled',
  input: Type.Object({ packId: Id, firstVideoId: LessonId }),
  data: Type.Object({
    practices: Type.Array(
      Type.Object({
        examId: Id,
        kind: OneOf(practiceKinds),
        name: Type.String(),
        totalQuestion: Type.Integer(),
      }),
      { description: 'of the nearest chapter above the lesson that has one, at most one of each kind' },
    ),
    papers: Type.Array(Type.Object({ kind: OneOf(schoolScoredKinds), count: Type.Integer({ minimum: 1 }) }), {
      description: 'kinds of which the pack has papers, in the order of the exam center',
    }),
  }),
  refuses: ['notFound', 'notEnrolled', 'lessonLocked'],
});

export const RecommendCourses = call('GET /app/course/recommend', {
  says: `At most ${RECOMMENDED_PACKS} packs for who studies this one: on offer, not joined by the caller, those of its category first.`,
  source: 'spec §7 Course play (course recommendation: not shown); docs/decisions/057-course-play-whole.md',
  who: 'visitor',
  input: Type.Object({ packId: Id }),
  data: Type.Object({ list: Type.Array(Pack) }),
  refuses: ['notFound'],
});

// ---- notes: only their writer sees them ----

const Note = Type.Object({
  id: Id,
  firstVideoId: Id,
  firstVideoName: Type.String(),
  position: Type.Integer({ description: 'whole seconds' }),
  note: Type.String(),
  createdAt: Millis,
  updatedAt: Millis,
});

export const ListNotes = call('GET /app/course/note_list', {
  says: 'The caller’s own notes in a pack: of one lesson by their place in it, of all lessons the newest first.',
  source: 'docs/decisions/031-course-play.md',
  who: 'enrolled',
  limits: HEAVY,
  input: Type.Object({
    packId: Id,
    firstVideoId: Type.Optional(LessonId),
    keyword: Type.Optional(Type.String({ maxLength: 60 })),
    pageNum: PageNum,
    pageSize: PageSize,
  }),
  data: Page(Note),
  refuses: ['notFound', 'notEnrolled'],
});

export const SaveNote = call('POST /app/course/note_save', {
  says: 'Writes a private note at a second of a lesson, or changes an own one (`id`), which may stay where it stands though its film became shorter.',
  source: 'docs/decisions/031-course-play.md',
  who: 'enrolled',
  input: Type.Object({
    packId: Id,
    id: Type.Optional(Id),
    firstVideoId: LessonId,
    position: Type.Integer({ minimum: 0, maximum: LONGEST_MEDIA, description: 'whole seconds' }),
    note: Type.String({ minLength: 1, maxLength: NOTE_LONGEST, pattern: '\\S' }),
    clientId: ClientId,
  }),
  data: Note,
  refuses: ['notFound', 'notEnrolled', 'lessonLocked', 'beyondEnd', 'notesFull', 'tooMany'],
});

export const DeleteNote = call('POST /app/course/note_delete', {
  says: 'Deletes an own note; deleting it twice is the same as once.',
  source: 'docs/decisions/031-course-play.md',
  who: 'enrolled',
  input: Type.Object({ packId: Id, id: Id }),
  data: Type.Object({}),
  refuses: ['notFound', 'notEnrolled'],
});

// ---- for teachers ----

const TaughtLesson = Type.Object({
  firstVideoId: Id,
  firstVideoName: Type.String(),
  chapterName: Type.String({ description: 'empty: at the top of its course' }),
  kind: Kind,
  duration: Type.Integer({ description: 'whole seconds; 0: none' }),
  videoResourceId: Nullable(Type.Integer({ description: 'the media that it shows; null: none' })),
  videoTitle: Type.String({ description: 'of that media' }),
  nextResourceId: Nullable(
    Type.Integer({ description: 'the media that it shows as soon as that is ready; null: none' }),
  ),
  nextTitle: Type.String({ description: 'of that media' }),
  given: Type.Boolean({ description: 'a teacher said what it shows; imports leave that as it is' }),
  packResourceId: Nullable(Type.Integer({ description: 'the media that its pack brings; null: none' })),
});

export const TaughtLessons = call('GET /app/course/lesson_manage', {
  says: 'The packs of this school that have lessons, and the lessons of one of them by course, for teachers.',
  source: 'decisions §4; docs/decisions/036-uploads.md',
  who: 'teacher',
  input: Type.Object({ packId: Type.Optional(Type.Integer({ ...Id, description: 'left out: the first one' })) }),
  data: Type.Object({
    packs: Type.Array(Type.Object({ packId: Id, packName: Type.String() })),
    packId: Nullable(Id),
    courses: Type.Array(Type.Object({ courseId: Id, courseName: Type.String(), lessons: Type.Array(TaughtLesson) })),
  }),
  refuses: ['notFound'],
  limits: HEAVY,
});

export const SetLessonMedia = call('POST /app/course/lesson_media', {
  says: 'Gives a lesson a video or a sound in place of what it shows, at once or as soon as that is ready; or takes back what a teacher gave it, and it shows what its pack brings.',
  source: 'decisions §4; docs/decisions/036-uploads.md',
  who: 'teacher',
  input: Type.Object({
    firstVideoId: LessonId,
    mediaId: Nullable(Type.Integer({ ...Id, description: 'null: what its pack brings, or nothing' })),
  }),
  data: Type.Object({
    waits: Type.Boolean({ description: 'what it shall show is not ready yet' }),
  }),
  refuses: ['notFound', 'mediaFailed'],
});

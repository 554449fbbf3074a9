import type { ColumnType, Generated } from 'kysely';
import type { ExportState } from '#contract/values/account.ts';
import type { AgreementDocument } from '#contract/values/agreement.ts';
import type { CountedRecord, ExamKind, GradeMode, WrongState } from '#contract/values/exam.ts';
import type { AnswerState, FeedbackState } from '#contract/values/feedback.ts';
import type { FileGroup } from '#contract/values/file.ts';
import type { ImageOpt } from '#contract/values/image.ts';
import type { JobState } from '#contract/values/job.ts';
import type { TalkKind } from '#contract/values/live-talk.ts';
import type { MediaKind, MediaState } from '#contract/values/media.ts';
import type { NoticeKind, NoticeTopic } from '#contract/values/notice.ts';
import type {
  CheckOutcome,
  CouponKind,
  CouponState,
  InvoiceKind,
  InvoiceState,
  OrderState,
  PayChannel,
  PaymentState,
  RefundAskState,
  RefundState,
  ReturnReason,
} from '#contract/values/order.ts';
import type { LeftOutKind } from '#contract/values/plan.ts';
import type { LessonKind } from '#contract/values/play.ts';
import type { QaAnswerState, QaEntryKind, QaPlatform, QaState, QaType } from '#contract/values/qa.ts';
import type { UploadPurpose, UploadState } from '#contract/values/upload.ts';
import type { Role } from '#contract/values/user.ts';

/**
 * The tables, as both databases hold them. Times are epoch milliseconds, yes/no is 1 or 0, JSON is text. Every column
 * has the name that the field has on the wire, in snake_case.
 */
export interface Tables {
  users: Users;
  sessions: Sessions;
  captcha_challenges: CaptchaChallenges;
  captcha_tickets: CaptchaTickets;
  known_devices: KnownDevices;
  asked_codes: AskedCodes;
  identities: Identities;
  rate_events: RateEvents;
  packs: Packs;
  pack_categories: PackCategories;
  pack_teachers: PackTeachers;
  promotions: Promotions;
  courses: Courses;
  chapters: Chapters;
  cases: Cases;
  questions: Questions;
  question_accuracy: QuestionAccuracy;
  exams: Exams;
  exam_questions: ExamQuestions;
  corrections: Corrections;
  paper_revisions: PaperRevisions;
  question_revisions: QuestionRevisions;
  case_revisions: CaseRevisions;
  exam_question_stats: ExamQuestionStats;
  enrolments: Enrolments;
  pack_files: PackFiles;
  exam_records: ExamRecords;
  exam_answers: ExamAnswers;
  late_saves: LateSaves;
  record_reopenings: RecordReopenings;
  chapter_progress: ChapterProgress;
  wrong_questions: WrongQuestions;
  review_cards: ReviewCards;
  last_reviews: LastReviews;
  own_rescores: OwnRescores;
  own_records_on_way: OwnRecordsOnWay;
  study_settings: StudySettings;
  collected_questions: CollectedQuestions;
  own_papers: OwnPapers;
  stand_ins: StandIns;
  point_ticks: PointTicks;
  time_gifts: TimeGifts;
  time_gift_records: TimeGiftRecords;
  accommodations: Accommodations;
  study_counts: StudyCounts;
  study_days: StudyDays;
  question_times: QuestionTimes;
  question_quality: QuestionQuality;
  records_to_count: RecordsToCount;
  counted_answers: CountedAnswers;
  question_corrections: QuestionCorrections;
  rescore_tasks: RescoreTasks;
  record_rescores: RecordRescores;
  exam_feedback: ExamFeedback;
  feedback_answers: FeedbackAnswers;
  feedback_images: FeedbackImages;
  images: Images;
  notices: Notices;
  lessons: Lessons;
  lesson_practices: LessonPractices;
  lesson_progress: LessonProgress;
  lesson_subtitles: LessonSubtitles;
  study_clocks: StudyClocks;
  play_rights: PlayRights;
  lesson_notes: LessonNotes;
  plan_settings: PlanSettings;
  plan_left_out: PlanLeftOut;
  plan_days: PlanDays;
  sitting_plans: SittingPlans;
  course_file_folders: CourseFileFolders;
  course_files: CourseFiles;
  course_file_downloads: CourseFileDownloads;
  comments: Comments;
  comment_praises: CommentPraises;
  qa_entries: QaEntries;
  qa_threads: QaThreads;
  qa_images: QaImages;
  qa_revisions: QaRevisions;
  qa_flags: QaFlags;
  qa_useful: QaUseful;
  qa_terms: QaTerms;
  qa_tags: QaTags;
  qa_thread_tags: QaThreadTags;
  qa_pack_tags: QaPackTags;
  qa_keys: QaKeys;
  qa_key_people: QaKeyPeople;
  qa_phrases: QaPhrases;
  announcements: Announcements;
  announcement_reads: AnnouncementReads;
  unwanted_notices: UnwantedNotices;
  settings: Settings;
  universities: Universities;
  university_goals: UniversityGoals;
  jobs: Jobs;
  media: Media;
  uploads: Uploads;
  media_renditions: MediaRenditions;
  coupons: Coupons;
  coupon_codes: CouponCodes;
  user_coupons: UserCoupons;
  orders: Orders;
  payments: Payments;
  refunds: Refunds;
  order_events: OrderEvents;
  payment_inbox: PaymentInbox;
  sandbox_trades: SandboxTrades;
  sandbox_refunds: SandboxRefunds;
  data_exports: DataExports;
  live_lessons: LiveLessons;
  live_bookings: LiveBookings;
  live_streams: LiveStreams;
  live_talks: LiveTalks;
  live_messages: LiveMessages;
  live_mutes: LiveMutes;
  live_hands: LiveHands;
  live_polls: LivePolls;
  live_votes: LiveVotes;
  live_presences: LivePresences;
  agreement_versions: AgreementVersions;
  agreement_consents: AgreementConsents;
  declared_minors: DeclaredMinors;
  guardian_consents: GuardianConsents;
  order_keepers: OrderKeepers;
  refund_asks: RefundAsks;
  invoices: Invoices;
  order_checks: OrderChecks;
}

type Flag = number;
/** A column the database fills when an insert leaves it out. */
type Default<T> = ColumnType<T, T | undefined, T>;

interface Users {
  id: Generated<number>;
  phone: string;
  /** argon2id in PHC form; null: signs in by SMS only. */
  password_hash: string | null;
  user_name: Default<string>;
  nickname: string;
  avatar_url: Default<string>;
  role: Default<Role>;
  /** 1: a demo account, refused outside DEMO. */
  demo: Default<Flag>;
  /** 1: switched off by the school; cannot sign in and has no session. */
  disabled: Default<Flag>;
  created_at: number;
  /** When a session of theirs was last used; 0: never. */
  last_used_at: Default<number>;
  /** When a code that was sent to the number was last entered; null: not known. */
  phone_proven_at: Default<number | null>;
  /** When the account is to be closed for good, as its person asked; null: nobody asked. */
  closes_at: Default<number | null>;
  /** When that was done: what named the person is gone. */
  gone_at: Default<number | null>;
}

interface Sessions {
  /** SHA-256 of the token in hex; the token itself is never stored. */
  token_hash: string;
  user_id: number;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** Of the browser that signed in, as its person is shown it; '': not known (rules/user/device-name.ts). */
  browser: Default<string>;
  system: Default<string>;
  place: Default<string>;
}

/** Who somebody says they are. The number itself is stored nowhere (server/user/identity.ts). */
export interface Identities {
  user_id: number;
  number_hash: string;
  masked: string;
  /** YYYY-MM-DD on which the person turns 14; null: they have. */
  fourteen_on: string | null;
  created_at: number;
}

/** A challenge that was answered. */
interface CaptchaChallenges {
  id: string;
  action: string;
  created_at: number;
  expires_at: number;
}

interface CaptchaTickets {
  /** SHA-256 of the ticket in hex. */
  ticket_hash: string;
  action: string;
  phone_key: string;
  asker: string;
  expires_at: number;
}

/** A device that a person signed in on, by the hash of its cookie. */
interface KnownDevices {
  device_hash: string;
  user_id: number;
  seen_at: number;
  expires_at: number;
}

/** An SMS code that was sent, of whoever asked for it (server/user/asker.ts). */
interface AskedCodes {
  id: Generated<number>;
  phone: string;
  purpose: string;
  asker: string;
  code_hash: string;
  /** Tries left to who asked for it, and to everybody else together. */
  own_tries: number;
  other_tries: number;
  created_at: number;
  expires_at: number;
}

/** One counted event of a limit: `bucket` names the limit and whom it counts, e.g. `sms:13800000001`. */
interface RateEvents {
  id: Generated<number>;
  bucket: string;
  at: number;
}

export interface Packs {
  id: Generated<number>;
  slug: string;
  name: string;
  summary: string;
  /** Sanitized HTML. */
  description: string;
  exam_date: string | null;
  enrol: 'open' | 'closed';
  unlock: 'free' | 'sequential';
  position: number;
  archived: Default<Flag>;
  /** 1: its lessons and practices carry credits (scoreState). */
  score_state: Default<Flag>;
  /** In fen; null: it costs nothing. */
  price: Default<number | null>;
  /** In fen, shown struck through; null: none. */
  original_price: Default<number | null>;
  /** How many may buy it; null: no bound. */
  seats: Default<number | null>;
  /** From when until when it is sold; null: no bound. */
  sale_from: Default<number | null>;
  sale_until: Default<number | null>;
  /** The little category, else the big one; null: none. */
  category_id: Default<number | null>;
  /** When it came to this school; 0: before that was noted. */
  listed_at: Default<number>;
}

/** What packs are for: big ones (`parent_id` 0), and little ones below them. */
interface PackCategories {
  id: Generated<number>;
  parent_id: Default<number>;
  name: string;
  position: number;
}

interface PackTeachers {
  pack_id: number;
  position: number;
  name: string;
  title: Default<string>;
  words: Default<string>;
  /** Name of the stored file; '': none. */
  picture: Default<string>;
}

/** What the school draws attention to: a banner, an ad, a tip. */
export interface Promotions {
  id: Generated<number>;
  kind: 'banner' | 'ad' | 'tip';
  slug: string;
  title: string;
  words: Default<string>;
  /** A path of this site, or an https address; '': none. */
  link: Default<string>;
  /** Names of stored files; '': none. */
  picture: Default<string>;
  phone_picture: Default<string>;
  alt: Default<string>;
  from_at: Default<number | null>;
  until_at: Default<number | null>;
  position: number;
}

interface Courses {
  id: Generated<number>;
  pack_id: number;
  slug: string;
  name: string;
  position: number;
  archived: Default<Flag>;
}

interface Chapters {
  id: Generated<number>;
  pack_id: number;
  course_id: number;
  parent_id: number | null;
  slug: string;
  name: string;
  /** 1 to 3. */
  level: number;
  position: number;
  archived: Default<Flag>;
}

export interface Cases {
  id: Generated<number>;
  pack_id: number;
  slug: string;
  title: string;
  /** Sanitized HTML. */
  text: string;
}

export interface Questions {
  id: Generated<number>;
  pack_id: number;
  chapter_id: number;
  /** The question's stable key in its pack. */
  slug: string;
  /** The school's own key of a question from a spreadsheet (编号), one of a kind in the pack; null: it has none. */
  school_key: Default<string | null>;
  /** questionTypesId: 1 judge, 2 single, 3 multiple, 4 short answer, 5 indefinite, 8 self-scored. */
  question_types_id: number;
  /** Sanitized HTML, formulas as \(…\) and \[…\]. */
  topic: string;
  /** JSON: letter to sanitized HTML; types 4 and 8: {}; type 1: {"A":"对","B":"错"}. */
  options: string;
  /** Letters ascending ("ABD"; type 1: A right, B wrong), or sanitized HTML for types 4 and 8. */
  right_answer: string;
  answer_analysis: string;
  /** Points outside a paper. */
  score: number;
  difficulty: number | null;
  case_id: number | null;
  position: number;
  /** Taken out: a file no longer has it, or a person said so (`retired`). */
  archived: Default<Flag>;
  /** JSON: that a person has taken it out, when, why and where it stood (paper/retired-store.ts); '': nobody has. Imports leave it alone. */
  retired: Default<string>;
  /** Equal for questions that are the same to a student, whatever their ids (fingerprint.ts); '': not known. */
  fingerprint: Default<string>;
  /** Raised whenever type, options or key change: what an answer means, or which is right. */
  key_version: Default<number>;
  /** What it asks about, in the pack's words (考点); null: not said. */
  knowledge_point: Default<string | null>;
  /** JSON: the scoring points of types 4 and 8, `{ of, list }` (paper/stored-points.ts); '': none. */
  points: Default<string>;
  /** How it is graded; only teachers change it, no import does. */
  grade_mode: Default<GradeMode>;
}

/** How a question fared with everyone who was graded by one key of it: raised when a record is graded. */
interface QuestionAccuracy {
  question_id: number;
  key_version: number;
  taken: number;
  right_count: number;
  /** Who gave all of these answers; 0: several did, or nobody knows: it was counted before version 070. */
  only_taker: Default<number>;
}

export interface Exams {
  id: Generated<number>;
  pack_id: number;
  course_id: number | null;
  chapter_id: number | null;
  /** Stable key in the pack; chapter practice: `chapter:<chapter slug>`. */
  slug: string;
  kind: ExamKind;
  name: string;
  year: number | null;
  /** Minutes; null: no limit. */
  exam_time: number | null;
  /** 11 timed special test, else 0. */
  test_type: number;
  /** Share of the points for a proper subset of the right letters (types 3 and 5); null: exact or nothing. */
  partial: number | null;
  shuffle_questions: Flag;
  shuffle_options: Flag;
  pass_score: number | null;
  total_question: number;
  total_score: number;
  /** JSON: [{ title, questionIds }]; chapter practice: []. */
  sections: string;
  /** Raised whenever what the paper says changes. The content of one version never changes (paper_revisions). */
  version: Default<number>;
  position: number;
  archived: Default<Flag>;
  /** Records a student may begin; null: no limit. */
  most_attempts: Default<number | null>;
  /** Minutes between two records; null: none. */
  retake_after: Default<number | null>;
  counted_record: Default<CountedRecord>;
  /** Its questions stand in no practice (server/exam/paper/reserved-store.ts). */
  reserved: Default<Flag>;
}

interface ExamQuestions {
  exam_id: number;
  question_id: number;
  position: number;
  /** Points in this exam. */
  score: number;
}

/** One import that changed what papers of a pack said. Those of one pack follow each other, and so do their ids. */
interface Corrections {
  id: Generated<number>;
  pack_id: number;
  made_at: number;
  /** 1: noted where students see the analysis in records that are over. */
  noted: Flag;
}

/** A version of a paper that records began with, as it stood before a correction replaced it. Never changed. */
export interface PaperRevisions {
  exam_id: number;
  version: number;
  /** The correction that replaced it. */
  correction_id: number;
  kind: ExamKind;
  name: string;
  test_type: number;
  exam_time: number | null;
  partial: number | null;
  total_question: number;
  total_score: number;
  sections: string;
  /** JSON: [[question id, points]] in order. */
  questions: string;
  /**
   * JSON: { [question id]: { right, analysis, gradeMode, keyVersion } }: what a teacher corrected in it for records that were
   * re-scored; everything else as it stood before the correction.
   */
  overrides: Default<string>;
}

/** A question as it stood before a correction changed it. Never changed. */
interface QuestionRevisions {
  question_id: number;
  correction_id: number;
  question_types_id: number;
  chapter_id: number;
  case_id: number | null;
  key_version: number;
  fingerprint: string;
  /** Null also in what was kept before version 057. */
  knowledge_point: Default<string | null>;
  topic: string;
  options: string;
  right_answer: string;
  answer_analysis: string;
  points: Default<string>;
  grade_mode: Default<GradeMode>;
}

/** Case material as it stood before a correction changed it. */
interface CaseRevisions {
  case_id: number;
  correction_id: number;
  title: string;
  text: string;
}

/** Points that all takers of an exam earned with one question, and that there were. */
interface ExamQuestionStats {
  exam_id: number;
  question_id: number;
  earned: number;
  total: number;
}

interface Enrolments {
  user_id: number;
  pack_id: number;
  created_at: number;
  last_studied_at: number | null;
  /** 1: an order gave it, and a whole refund takes it away; 0: the school did, or the student joined at no cost. */
  by_order: Default<Flag>;
}

/** A stored file that a text of a pack shows. */
interface PackFiles {
  /** As `server/files.ts` names it. */
  name: string;
  pack_id: number;
  /** 1: in the pack's description, which people see before they enrol. */
  open: Default<Flag>;
  /** The name its author gave it. */
  title: Default<string>;
}

interface ExamRecords {
  id: Generated<number>;
  user_id: number;
  exam_id: number;
  pack_id: number;
  started_at: number;
  /** Server time at which it ends, without grace; null: no limit. */
  ends_at: number | null;
  /** Null while in progress. One such record a user and exam (unique index). */
  submitted_at: number | null;
  /** submitted · timeUp · unanswered; null while in progress. */
  closed: string | null;
  /** The window that may save. */
  window_id: string | null;
  /** Seconds the student spent, as reported. */
  total_time: Default<number>;
  score: number | null;
  right_count: Default<number>;
  wrong_count: Default<number>;
  unanswered_count: Default<number>;
  pending_count: Default<number>;
  // The two long ones last: SQLite reads past them for every column that follows.
  /**
   * The frozen layout as JSON: { order: [question ids], options?: { [questionId]: "CADB" } }: shown letter A stands for
   * the stored option C. Null: the exam's own order and letters.
   */
  layout: string | null;
  /** JSON per question at hand-in: { [questionId]: [state, earned | null, judgeFlag | null] }; null before. */
  graded: string | null;
  /** The version of the paper (`exams.version`) that the record began with and keeps. */
  version: Default<number>;
  /** Its number among the records of this student and exam, from 1 (unique index). */
  attempt: Default<number>;
  /** Minutes that were given back (补时), all together; `ends_at` has them. */
  extra_minutes: Default<number>;
  /** Minutes that the student's own accommodation added when it began; `ends_at` has them. */
  accommodation_minutes: Default<number>;
  /**
   * JSON per answered question, with what it was counted in statistics: { [questionId]: [seconds, difficulty] }. Null: it is open, or
   * was closed by a version without statistics and is not counted yet.
   */
  counted: Default<string | null>;
  /** The question that was on the screen when a window last told `total_time`; null: none has told it. */
  place_question_id: Default<number | null>;
  /** The highest number of a change that was known then. */
  place_seq: Default<number>;
}

interface ExamAnswers {
  record_id: number;
  question_id: number;
  /** Letters as stored in the question (never as shown), or text; null: only marked, never answered. '' cleared. */
  answer: string | null;
  seq: Default<number>;
  flag: Default<Flag>;
  /** 1: the student says that the answer is a guess (蒙的). */
  guess: Default<Flag>;
  /** When the key of this question was shown (practice); the answer is final from then on. */
  shown_at: number | null;
  saved_at: number;
  /** Seconds the student had spent on the record at this save, as reported. */
  total_time: Default<number>;
  /** With what it was counted in statistics when its key was shown (`ExamRecords.counted`); null: it was not counted then. */
  counted_seconds: Default<number | null>;
  counted_difficulty: Default<number | null>;
}

/** Which scoring points of a question a student ticked when scoring the own answer. */
interface PointTicks {
  record_id: number;
  question_id: number;
  /** JSON: places of the points from 0, ascending. */
  ticks: string;
}

/** Time that was given back (补时), to one record or to many of one exam. */
interface TimeGifts {
  id: Generated<number>;
  /** Made by the page that gave it, so that a repeated call gives once. */
  gift_key: string;
  exam_id: number;
  /** JSON: the records that were asked for, ascending; '': all that were open. */
  asked: string;
  minutes: number;
  reason: string;
  /** The teacher; null: an operator, by a command. */
  given_by: number | null;
  /** Who it was: the teacher's name then, or the account of the machine. */
  done_by: string;
  given_at: number;
}

/**
 * More time that a student has in papers with an end (延长考试时间): `percent` of the usual time or `minutes` on top, one of them. At most
 * one in force for a student and pack (unique index); what has ended stays.
 */
interface Accommodations {
  id: Generated<number>;
  user_id: number;
  /** Null: in every pack. */
  pack_id: number | null;
  percent: number | null;
  minutes: number | null;
  reason: string;
  set_by: number;
  set_at: number;
  ended_by: number | null;
  /** Null: in force. */
  ended_at: number | null;
}

/** A record that got time back, with its end before and after. */
interface TimeGiftRecords {
  record_id: number;
  gift_id: number;
  ended_at: number;
  ends_at: number;
}

/** Saves that came after the end: evidence, never graded. The newest of each question. */
interface LateSaves {
  record_id: number;
  question_id: number;
  answer: string;
  seq: number;
  arrived_at: number;
  reason: string;
}

/** A closing that the operator undid. */
interface RecordReopenings {
  id: Generated<number>;
  record_id: number;
  reopened_at: number;
  /** The account of the machine that ran the command. */
  done_by: string;
  reason: string;
  /** How and when the record had been closed, when it was to end, and its result, as `exam_records` had them. */
  closed: string;
  submitted_at: number;
  ended_at: number | null;
  score: number | null;
  graded: string;
  /** Its new end. */
  ends_at: number | null;
}

/** How one student fared in one chapter: raised when answers are graded, never before. */
interface ChapterProgress {
  user_id: number;
  chapter_id: number;
  graded: number;
  right_count: number;
}

/** A question that a student once answered wrong, or right by luck. It stays when it has left the list, and may come back. */
interface WrongQuestions {
  user_id: number;
  question_id: number;
  pack_id: number;
  /** The exam of the newest mistake, own practice aside. */
  exam_id: number | null;
  state: WrongState;
  times_wrong: Default<number>;
  /** Right answers since the last mistake. */
  right_streak: Default<number>;
  /** 1: it is there for a guess, and no mistake came after it. */
  guessed: Default<Flag>;
  first_at: number;
  /** Of the newest mistake or guess. */
  last_at: number;
}

/** What the scheduler knows of one question for one student (rules/exam/schedule.ts); without a row it has only come in. */
interface ReviewCards {
  user_id: number;
  question_id: number;
  due: number;
  stability: number;
  difficulty: number;
  reps: number;
  lapses: number;
  last_review_at: number;
  foretold: number;
}

/** How a student studies a pack, where they chose so. */
/** What a student said last when reviewing one question (`save_review`). */
interface LastReviews {
  user_id: number;
  question_id: number;
  /** China's day. */
  day: number;
  said: 'right' | 'wrong';
  reviewed_at: number;
}

/** A correction for which the papers that students put together are looked through. */
interface OwnRescores {
  correction_id: number;
  /** Papers up to this one are. */
  after_exam: Default<number>;
  done: Default<number>;
}

/** A record of such a paper that a correction comes to yet, open ones too; gone once it has. */
interface OwnRecordsOnWay {
  record_id: number;
  correction_id: number;
  /** 1: it has to be looked at; 0: it is open, and was. */
  due: Default<Flag>;
}

interface StudySettings {
  user_id: number;
  pack_id: number;
  /** Right answers in a row after which a question leaves the wrong-question list; 0: only by hand; null: not chosen. */
  leave_after: number | null;
  /** The student's own date of the exam (YYYY-MM-DD); null: that of the pack. */
  exam_date: string | null;
  /** Questions to review a day; null: not chosen. */
  daily_size: number | null;
}

/** A question that a student keeps (收藏), with a note of their own. */
interface CollectedQuestions {
  user_id: number;
  question_id: number;
  pack_id: number;
  note: Default<string>;
  collected_at: number;
}

/** A paper that a student put together: an exam that only its maker may sit. */
interface OwnPapers {
  exam_id: number;
  user_id: number;
  /** daily: today's review; chosen: what the student picked; random: drawn by a blueprint. */
  purpose: 'chosen' | 'daily' | 'random';
  /** JSON: [[question id, points]] in order. */
  questions: string;
  /** JSON: how a random paper was wanted (`last` of random_options); '': of another one, or not known. */
  blueprint: Default<string>;
  /** JSON: ids of the questions that its student sat when it was put together: it knows nothing of what they were graded. */
  sat: Default<string>;
  made_at: number;
}

interface StandIns {
  exam_id: number;
  /** The question that today's review asks. */
  question_id: number;
  /** The question whose card is due, of the same knowledge point. */
  for_question_id: number;
}

/** What one student has answered of one kind in one chapter, raised when answers are graded. Points in hundredths. */
interface StudyCounts {
  user_id: number;
  pack_id: number;
  chapter_id: number;
  question_types_id: number;
  /** 1 (easy) to 5; 0: the question says none. */
  difficulty: number;
  done: Default<number>;
  right_count: Default<number>;
  seconds: Default<number>;
  /** That there were to earn, and that were not earned. */
  points: Default<number>;
  lost: Default<number>;
}

/** What one student did on one day, whatever became of it. */
interface StudyDays {
  user_id: number;
  pack_id: number;
  /** China's day, counted from 1970-01-01 (rules/exam/schedule.ts `dayOf`). */
  day: number;
  answered: Default<number>;
  seconds: Default<number>;
}

/** How long a question took all who answered it, by bucket (rules/exam/answer-time.ts `timeBucket`). */
interface QuestionTimes {
  question_id: number;
  bucket: number;
  taken: Default<number>;
  /** As there. */
  only_taker: Default<number>;
}

/** How the first answers of students to a question fared, kept by a job (grading/count-quality.ts). */
interface QuestionQuality {
  question_id: number;
  pack_id: number;
  /** The newest key that its answers were graded by. */
  key_version: Default<number>;
  /** Of type and options: answers are counted together as long as their letters stand for the same. */
  meaning: Default<string>;
  /** JSON: { [answer]: [how many in each band of the rest of the paper] } (rules/exam/quality.ts). */
  choices: Default<string>;
  /** Reports of students that nobody has decided. */
  reports: Default<number>;
  /** How much it needs a look; 0: not at all. */
  attention: Default<number>;
  /** 1: `attention` is to be found anew. */
  stale: Default<Flag>;
}

/** Closed records whose answers are not in `question_quality` yet. */
interface RecordsToCount {
  record_id: number;
}

/** Which questions a student's first answer was counted of: bit n of block b stands for question b × 4096 + n, in Base64. */
interface CountedAnswers {
  user_id: number;
  block: number;
  bits: string;
}

/** A correction that a teacher made, in one question or in the rule of one paper. Never changed, but for when all its records were re-scored (`done_at`). */
export interface QuestionCorrections {
  correction_id: number;
  /** null: of a paper’s rule for partly right answers. */
  question_id: number | null;
  /** That paper; null: of a question. */
  exam_id: number | null;
  teacher_id: number;
  reason: string;
  /** JSON: what was changed, each as [before, after] (`QuestionChange`, `RuleChange` in rules/exam/rescore.ts). */
  changes: string;
  made_at: number;
  done_at: number | null;
}

/** Records of one version of a paper that a correction re-scores, which moves them to another version. */
export interface RescoreTasks {
  correction_id: number;
  exam_id: number;
  from_version: number;
  to_version: number;
  /** 1: there may be closed records to re-score; 0: those that are left are still open. */
  due: Default<Flag>;
  done: Default<Flag>;
}

/** What re-scoring changed in a record. Never changed. */
interface RecordRescores {
  record_id: number;
  correction_id: number;
  rescored_at: number;
  from_version: number;
  score_before: number;
  score_after: number;
  total_before: number;
  total_after: number;
  /** JSON of what was graded again, by question: [state, earned | null, judgeFlag | null]. */
  graded_before: string;
  graded_after: string;
}

export interface ExamFeedback {
  id: Generated<number>;
  user_id: number;
  pack_id: number;
  resource_id: number;
  question_id: number | null;
  feedback_type: number;
  feedback_desc: string;
  created_at: number;
  /** The record in which the student saw the question; null: not known, then it is meant as it stood. */
  record_id: number | null;
  /** Of the question as the student saw it; null: about no question, or from before this was kept. */
  key_version: number | null;
  state: Default<FeedbackState>;
  /** What the last teacher wrote. */
  answer: Default<string>;
  answered_by: number | null;
  answered_at: number | null;
  /** How often it was answered. */
  version: Default<number>;
  /** The version that its author has looked at. */
  seen_version: Default<number>;
  /** Of a report on a film; null: on a question. */
  lesson_id: number | null;
  device_name: Default<string>;
}

/** Every answer that a report was ever given. */
interface FeedbackAnswers {
  feedback_id: number;
  version: number;
  state: AnswerState;
  answer: string;
  answered_by: number;
  answered_at: number;
}

/** A picture of a report. */
interface FeedbackImages {
  feedback_id: number;
  /** From 0. */
  position: number;
  /** Its stored file. */
  file: string;
}

/** A picture that somebody uploaded (docs/decisions/039-uploaded-pictures.md). */
export interface Images {
  /** Chance, and the picture's ending: it names this upload, not its bytes. */
  file_name: string;
  user_id: number;
  opt: ImageOpt;
  /** Its stored file. */
  file: string;
  /** In bytes, as stored. */
  size: number;
  created_at: number;
  /** What uses it, e.g. `feedback:12`; null: nothing yet. */
  taken_for: string | null;
}

/** What the school tells everybody, or the students of a pack, for a time. */
export interface Announcements {
  /** Chance, as of notices, beside which they are listed. */
  id: number;
  name: string;
  content: string;
  /** Its students are told; null: everybody. */
  pack_id: number | null;
  from_at: number;
  until_at: number;
  /** The teacher who announced it; null: a command did. */
  user_id: number | null;
  /** Names it for its teacher, so that a press that is sent twice is one; null: a command's. */
  client_id: string | null;
  created_at: number;
  withdrawn_at: number | null;
  withdrawn_by: number | null;
}

/** Who has read an announcement. */
interface AnnouncementReads {
  announcement_id: number;
  user_id: number;
  read_at: number;
}

/** What somebody does not want to be told of. */
interface UnwantedNotices {
  user_id: number;
  topic: NoticeTopic;
}

/** What the school told one person (docs/decisions/025-notices.md). */
export interface Notices {
  /** Chance, since what is told may hang on correctness (docs/decisions/025-notices.md). */
  id: number;
  user_id: number;
  /** What happened, as its teller names it: the same one is told to a person once. */
  event: string;
  kind: NoticeKind;
  /** JSON: what the words of the kind are filled with. */
  words: string;
  /** The record it is about; null: none. */
  record_id: number | null;
  /** The question it is about: nothing of it is told while its reader sits it; 0: while they sit any; null: none. */
  question_id: number | null;
  created_at: number;
  read_at: number | null;
  /** The question of Q&A it is about; null: none. */
  qa_id: number | null;
}

export interface Lessons {
  id: Generated<number>;
  pack_id: number;
  course_id: number;
  /** Null: it stands at the top of its course. */
  chapter_id: number | null;
  /** Its stable key in the pack. */
  slug: string;
  name: string;
  /** In the directory, 1 to 3. */
  level: number;
  /** Among all lessons of the pack. */
  position: number;
  kind: LessonKind;
  elective: Default<Flag>;
  /** 1: open to everybody (试听). */
  trial: Default<Flag>;
  credits: Default<number>;
  /** Sanitized HTML (简介). */
  profile: Default<string>;
  /** Sanitized HTML: what a lesson without media consists of. */
  body: Default<string>;
  /** Files of the pack's folder `lessons`, by name; '': none. */
  media_source: Default<string>;
  slides_source: Default<string>;
  /** The media that is ready to be played; null: none (yet). */
  media_id: Default<number | null>;
  /** The media that it shows as soon as that is ready; null: none. */
  next_media_id: Default<number | null>;
  /** The media that its pack brought with the last import; null: the pack names none. */
  pack_media_id: Default<number | null>;
  /** Address of the school's own picture of it; '': none. */
  poster: Default<string>;
  /** Whole seconds of that media, rounded down; 0: none. */
  duration: Default<number>;
  /** Address of the stored slides; '': none. */
  ppt_url: Default<string>;
  /** The lesson that a sequential pack wants finished first; null: none. */
  after_id: Default<number | null>;
  archived: Default<Flag>;
  /** 1: a teacher said what it shows, and imports leave that as it is. */
  media_given: Default<Flag>;
  /** The kind that the pack says, where a teacher's media made it another; '': as `kind`. */
  pack_kind: Default<LessonKind | ''>;
}

/** A folder of course files. */
interface CourseFileFolders {
  id: Generated<number>;
  pack_id: number;
  /** Null: it stands at the top. */
  parent_id: number | null;
  /** Its stable key: where it lies in the pack, e.g. `files/讲义`. */
  path: string;
  name: string;
  /** Among all folders of the pack. */
  position: number;
  archived: Default<Flag>;
}

/** A file that a pack brings: for its students to download, or the slides of lessons. */
interface CourseFiles {
  id: Generated<number>;
  pack_id: number;
  /** Null: it stands in no folder. */
  folder_id: number | null;
  /** Its stable key: where it lies in the pack, e.g. `files/讲义/第1章.pdf`. */
  path: string;
  file_name: string;
  /** Name of the stored file. */
  stored: string;
  bytes: number;
  file_group: FileGroup;
  /** 1: slides of lessons, which no list of files shows. */
  slides: Default<Flag>;
  /** Among all files of the pack. */
  position: number;
  /** When these bytes came. */
  created_at: number;
  archived: Default<Flag>;
}

/** Who has downloaded a file, and when last. */
interface CourseFileDownloads {
  user_id: number;
  file_id: number;
  /** The stored file that it was then. */
  stored: string;
  downloaded_at: number;
}

/** A practice of a lesson, by the stable key of its exam. */
interface LessonPractices {
  lesson_id: number;
  /** From 1. */
  position: number;
  exam_slug: string;
  credits: Default<number>;
}

/** Subtitles of a lesson, for one of its media: what they were made for. */
interface LessonSubtitles {
  lesson_id: number;
  media_id: number;
  /** From 1. */
  position: number;
  /** BCP 47, e.g. `zh-CN`. */
  language: string;
  label: string;
  /** The stored WebVTT. */
  file: string;
}

/** What one student has seen of a lesson. */
export interface LessonProgress {
  user_id: number;
  lesson_id: number;
  pack_id: number;
  /** Seconds. */
  position: number;
  /** Believed milliseconds of media, repeated ones too. */
  watched: Default<number>;
  reached_end: Default<Flag>;
  finished_at: number | null;
  /** The playing that reported last, the highest number of its reports, and which of the 31 before came too. */
  play_id: Default<string>;
  last_seq: Default<number>;
  seen_seqs: Default<number>;
  /** JSON: the same of the playings before it, [[play_id, last_seq, seen_seqs]], the latest first; a few of them (rules/play/opening.ts). */
  earlier_plays: Default<string>;
  first_at: number;
  last_at: number;
  /** JSON: believed places [[from, to]] in milliseconds. */
  covered: Default<string>;
}

/** The one budget of learning time that a person has (rules/play/report.ts). */
interface StudyClocks {
  user_id: number;
  /** Server time up to which it is used. */
  spent_until: number;
}

/** Since when somebody may play a media: when the right to was given them first (decision 079). */
interface PlayRights {
  user_id: number;
  /** Media know no lessons: a row may stay for a moment after its media is gone. */
  media_id: number;
  given_at: number;
}

/** A private note at a second of a lesson. */
interface LessonNotes {
  id: Generated<number>;
  user_id: number;
  pack_id: number;
  lesson_id: number;
  /** Whole seconds. */
  position: number;
  note: string;
  created_at: number;
  updated_at: number;
  /** The name that its writer's browser gave it, one for each note; null: none. */
  client_id: Default<string | null>;
}

/** When a student studies; without a row the usual minutes hold. */
interface PlanSettings {
  user_id: number;
  /** JSON: minutes from Monday to Sunday; 0: a day off. */
  minutes: string;
}

/** What a student leaves out of the plan. */
interface PlanLeftOut {
  user_id: number;
  pack_id: number;
  kind: LeftOutKind;
  /** Of the pack, the chapter or the exam. */
  ref_id: number;
}

/** What was laid out for the newest day on which a student looked. */
interface PlanDays {
  user_id: number;
  /** China's day, counted from 1970-01-01. */
  day: number;
  /** Of what it was made: where that is another one now, the rest of the day is laid out anew. */
  basis: string;
  /** JSON (server/plan/store.ts `StoredPlan`). */
  plan: string;
}

/** As `plan_days`, laid out while a scored exam is sat. */
interface SittingPlans extends PlanDays {
  /** JSON: ids of the questions that were sat, which it was laid out without. */
  sat: string;
}

/** A comment on a lesson, or a teacher's reply to one. */
export interface Comments {
  id: Generated<number>;
  user_id: number;
  pack_id: number;
  course_id: number;
  /** Null: on the course as a whole. */
  lesson_id: number | null;
  /** The comment that is replied to. */
  parent_id: number | null;
  comment: string;
  created_at: number;
  pinned: Default<Flag>;
  /** 1: by a teacher, from everybody but its author. */
  hidden: Default<Flag>;
  deleted_at: number | null;
  praise_count: Default<number>;
  /** Its writer's name for it: sent again it is the same one. */
  client_id: string | null;
  /** The words for which it is hidden, as JSON; '': none, or a teacher has decided since. */
  held_words: Default<string>;
}

interface CommentPraises {
  comment_id: number;
  user_id: number;
  created_at: number;
}

/** What somebody wrote in Q&A: a question, an answer, a follow-up or a comment; all are numbered together. */
export interface QaEntries {
  id: Generated<number>;
  /** The question that it stands under; null: it is one. */
  thread_id: number | null;
  /** What it follows: of a follow-up the entry it asks about. */
  parent_id: number | null;
  kind: QaEntryKind;
  user_id: number;
  feedback_desc: string;
  platform: Default<QaPlatform>;
  /** Of an answer what it decides; null: nothing. */
  state: QaAnswerState | null;
  created_at: number;
  edited_at: number | null;
  /** How often it was changed. */
  revision: Default<number>;
  /** 1: by a teacher, from everybody but its author. */
  hidden: Default<Flag>;
  /** JSON: the words for which it waits for a teacher; empty: it does not. */
  held_words: Default<string>;
  deleted_at: number | null;
  /** What its writer's browser named it by: sent again it is the same one. */
  client_id: string | null;
  /** Of an answer how many find it useful. */
  useful_count: Default<number>;
  /** 1: a teacher wrote it, as one. */
  by_teacher: Default<Flag>;
}

/** A question with how it stands. */
export interface QaThreads {
  /** Of its entry. */
  id: number;
  user_id: number;
  pack_id: number;
  course_id: number;
  lesson_id: number | null;
  /** Whole seconds of the lesson. */
  position: number | null;
  /** The exam question it is about. */
  question_id: number | null;
  /** The own record in which that was seen. */
  record_id: number | null;
  feedback_type: QaType;
  state: Default<QaState>;
  /** 1: a teacher owes an answer. */
  waiting: Default<Flag>;
  promised_at: number | null;
  /** By what the queue is ordered: the promise, or where there is none when it came. */
  due_at: number;
  /** Raised by all that is answered, followed up or decided. */
  version: Default<number>;
  /** The teacher it was given to. */
  teacher_id: number | null;
  /** The teacher who answered last. */
  answered_by: number | null;
  /** 1: other students see it. */
  listed: Default<Flag>;
  /** 1: its author deleted it. */
  gone: Default<Flag>;
  /** How many of its entries are held, and hidden. */
  held: Default<number>;
  hidden: Default<number>;
  flag_count: Default<number>;
  comment_count: Default<number>;
  created_at: number;
}

interface QaImages {
  entry_id: number;
  position: number;
  file: string;
}

/** What an entry said before it was changed. */
interface QaRevisions {
  entry_id: number;
  revision: number;
  feedback_desc: string;
  saved_at: number;
}

/** Who asks the same. */
interface QaFlags {
  thread_id: number;
  user_id: number;
  created_at: number;
}

/** Who finds an answer useful. */
interface QaUseful {
  entry_id: number;
  user_id: number;
  created_at: number;
}

/** What listed questions can be found by (rules/qa/terms.ts). */
interface QaTerms {
  pack_id: number;
  term: number;
  thread_id: number;
}

/** `count`: listed questions with it, over all packs. */
interface QaTags {
  id: Generated<number>;
  tag: string;
  count: Default<number>;
}

/** How many listed questions of a pack have a tag. */
interface QaPackTags {
  pack_id: number;
  tag_id: number;
  count: Default<number>;
}

interface QaThreadTags {
  thread_id: number;
  tag_id: number;
}

/** What was looked for lately, and by how many people. */
interface QaKeys {
  keyword: string;
  people: Default<number>;
}

interface QaKeyPeople {
  keyword: string;
  user_id: number;
  searched_at: number;
}

interface QaPhrases {
  id: Generated<number>;
  user_id: number;
  phrase: string;
  used_at: number;
}

/** Installation-wide values, e.g. the digest of the demo packs last loaded. */
interface Settings {
  key: string;
  value: string;
}

export interface Universities {
  id: Generated<number>;
  /** The key of imports: the present name with full-width brackets. */
  name: string;
  /** Short name of the province. */
  prov: string;
  city: string;
  is985: Flag;
  is211: Flag;
  is_dfc: Flag;
  affiliation: string;
  relationship: string;
  official_web: string;
  tel: string;
  school_location: string;
  /** JSON: texts. */
  tags: string;
  /** JSON: short names, former names, abbreviations. */
  aliases: string;
  /** Address of a stored file that visitors may see. */
  logo_url: string;
  /** Detail texts are plain; '' when nothing is known. */
  historical_continuation: string;
  education: string;
  laboratory_situation: string;
  subject_review: string;
  specialty: string;
  key_information_points: string;
  /** school: brought or changed by the school, so a newer bundled list leaves it alone. */
  origin: 'bundled' | 'school';
  position: number;
}

/** What a student aims at. */
interface UniversityGoals {
  user_id: number;
  target_id: number | null;
  /** JSON: at most three ids. */
  compare_ids: string;
  updated_at: number;
}

/** Work that somebody asked for (docs/decisions/030-jobs-and-media.md). */
export interface Jobs {
  id: Generated<number>;
  /** What is done, e.g. `media.transcode`. */
  kind: string;
  /** What it is done to: of a kind and key one runs at a time, and one waits. */
  key: string;
  /** JSON: what its kind needs to know. */
  input: string;
  state: JobState;
  /** The higher, the sooner. */
  priority: number;
  /** 0 to 100; null: not known. */
  percent: number | null;
  /** How often it was begun. */
  attempts: Default<number>;
  /** Not before this. */
  run_at: number;
  /** Raised whenever it changes hands: what an earlier holder says counts no more. */
  fence: Default<number>;
  /** The process that holds it; null: none. */
  owner: string | null;
  /** When that process last said that it is alive. */
  heartbeat_at: number | null;
  /** Since when it waits for what lies outside of it; null: it does not. */
  waiting_since: Default<number | null>;
  /** 1: somebody wants it ended. */
  cancel: Default<Flag>;
  /** In Chinese: why it failed, or why it has to be tried again; '' when nothing is wrong. */
  reason: Default<string>;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
}

/** A video or a sound that was brought in. */
export interface Media {
  id: Generated<number>;
  /** The stored file as it came. */
  source: string;
  source_bytes: number;
  /** Its file name as it came. */
  title: string;
  state: MediaState;
  /** In Chinese: why it cannot be played; '' when nothing is wrong. */
  reason: Default<string>;
  /** Null until somebody looked into it. */
  kind: MediaKind | null;
  duration_ms: number | null;
  /** Stored pictures; null: none, as of a sound. */
  poster: string | null;
  thumbnails: string | null;
  /** JSON: how the small pictures lie in their file. */
  thumbnail_grid: string | null;
  created_at: number;
  ready_at: number | null;
  /** When the pack that brought it named another file; null: it did not. */
  released_at: Default<number | null>;
  /** The teacher who uploaded it; null: it came by the command line or with a pack. */
  brought_by: Default<number | null>;
}

/** A file on its way in (docs/decisions/036-uploads.md). Its bytes stand in a file of the work folder that is named by its address. */
export interface Uploads {
  id: Generated<number>;
  /** The end of its URL, by chance. */
  address: string;
  user_id: number;
  purpose: UploadPurpose;
  file_name: string;
  /** By which a browser knows the same file again; '': it did not say. */
  fingerprint: Default<string>;
  bytes: number;
  /** Flushed to the disk. */
  received: Default<number>;
  state: UploadState;
  /** In Chinese: why it was refused. */
  reason: Default<string>;
  /** Who writes to it now; null: nobody. */
  writer: string | null;
  /** When that one last said so. */
  heard_at: number | null;
  created_at: number;
  expires_at: number;
}

/** One quality of a video, or the one of a sound: its segments, encrypted one by one, lie behind each other in one stored file. */
interface MediaRenditions {
  media_id: number;
  /** As its address names it: the shorter side of the picture or `audio`, and which making it is, e.g. `720-5f3a91c0`. */
  name: string;
  file: string;
  /** AES-128, in hex: never in a served row. */
  key: string;
  width: number | null;
  height: number | null;
  frame_rate: number | null;
  /** As RFC 6381 writes them. */
  codecs: string;
  /** Bits a second: of the worst segment, and on average. */
  bandwidth: number;
  average_bandwidth: number;
  duration_ms: number;
  /** JSON: [[milliseconds, bytes], …] in order. */
  segments: string;
  /** When another making took its place; who plays it then goes on. Null: it stands. */
  retired_at: number | null;
}

/** A kind of coupon that the school gives. Sums are fen. */
export interface Coupons {
  id: Generated<number>;
  slug: string;
  name: string;
  kind: CouponKind;
  /** `amount`: fen off; `percent`: hundredths off. */
  off: number;
  most_off: number | null;
  threshold: Default<number>;
  /** JSON: the packs it is for; null: all. */
  pack_ids: string | null;
  valid_from: number;
  valid_until: number;
  /** How many are given at most; null: no bound. */
  most: number | null;
  per_person: number;
  given: Default<number>;
  created_at: number;
  /** Since when it is given and used no more; null: it is. */
  ended_at: number | null;
}

/** What somebody types to get a coupon. */
interface CouponCodes {
  code: string;
  coupon_id: number;
  /** How often it may be exchanged; null: no bound of its own. */
  most: number | null;
  used: Default<number>;
}

/** A coupon that somebody has. */
interface UserCoupons {
  id: number;
  user_id: number;
  coupon_id: number;
  /** Which of its kind for this person, from 1: two exchanges at one moment cannot both be the first. */
  nth: number;
  code: Default<string>;
  state: CouponState;
  /** The order that holds or used it. */
  order_id: number | null;
  created_at: number;
}

/** What somebody buys, as it was when they ordered it. Sums are fen. */
export interface Orders {
  /** Chance: how many orders a school has is nobody's business. */
  id: number;
  order_no: string;
  user_id: number;
  pack_id: number;
  /** What the browser names its press of the button: twice is the same as once. */
  request_id: string;
  title: string;
  price: number;
  discount: number;
  total: number;
  user_coupon_id: number | null;
  coupon_name: Default<string>;
  state: OrderState;
  /** 1: it gives its student the pack. */
  access: Default<Flag>;
  /** 1: it takes one of the pack's seats. */
  seat: Default<Flag>;
  /** The payment that paid it; null: none did, or it cost nothing. */
  payment_id: number | null;
  /** 1: paid at the cashier that moves no money. */
  sandbox: Default<Flag>;
  created_at: number;
  expires_at: number;
  paid_at: number | null;
  closed_at: number | null;
  /** Why its money went back by itself; '' when it did not. */
  returned: Default<ReturnReason | ''>;
  /** When its student's page last had the providers asked. */
  asked_at: Default<number>;
}

/** One attempt to pay an order at a provider. */
export interface Payments {
  id: number;
  order_id: number;
  /** Its number at the provider: a new one for each attempt. */
  out_trade_no: string;
  channel: PayChannel;
  amount: number;
  state: PaymentState;
  /** What the provider says was paid. */
  paid: Default<number>;
  /** The provider's own number of it. */
  provider_no: Default<string>;
  /** Where it is paid: what the square code holds, or an address. */
  way: Default<string>;
  created_at: number;
  expires_at: number;
  paid_at: number | null;
  /** When the provider was last asked. */
  asked_at: Default<number>;
  /** 1: the provider has said that something happened, and has not been asked since. */
  hinted: Default<Flag>;
}

/** Money on its way back. */
export interface Refunds {
  id: number;
  order_id: number;
  payment_id: number;
  /** Its number at the provider: the same one however often it is tried. */
  out_refund_no: string;
  request_id: string;
  amount: number;
  reason: string;
  /** `system`, `command`, or `teacher:<id>`. */
  by_whom: string;
  state: RefundState;
  /** What the provider said last. */
  said: Default<string>;
  tries: Default<number>;
  created_at: number;
  tried_at: Default<number>;
  done_at: number | null;
}

/** What happened to an order, each once. */
interface OrderEvents {
  order_id: number;
  event: string;
  at: number;
  /** JSON: what there is to say of it. */
  words: string;
}

/** Signed messages about a number that is not known here. */
interface PaymentInbox {
  channel: PayChannel;
  out_trade_no: string;
  times: Default<number>;
  first_at: number;
  last_at: number;
}

/** What the cashier that moves no money knows. */
interface SandboxTrades {
  out_trade_no: string;
  amount: number;
  state: PaymentState;
  paid_at: number | null;
  created_at: number;
}

interface SandboxRefunds {
  out_refund_no: string;
  out_trade_no: string;
  amount: number;
  created_at: number;
}

/** A copy of all that somebody has here, for themself. */
export interface DataExports {
  /** Chance. */
  id: number;
  user_id: number;
  state: ExportState;
  /** The stored zip; '' while there is none. */
  file: Default<string>;
  bytes: Default<number>;
  /** In Chinese: why there will be none. */
  reason: Default<string>;
  /** JSON: ids of the questions that the person sat while it was made: it knows nothing of what they were graded. */
  sat: Default<string>;
  created_at: number;
  ready_at: number | null;
  expires_at: number;
}

/** One text of one document. Rows of these four tables are added; only a guardian's name and number are ever taken out again. */
export interface AgreementVersions {
  document: AgreementDocument;
  version: number;
  /** The Markdown as it came. */
  text: string;
  html: string;
  /** SHA-256 of the text, hex. */
  hash: string;
  /** 1: the sample that ships with the program. */
  is_sample: Default<Flag>;
  published_at: number;
}

interface AgreementConsents {
  user_id: number;
  document: AgreementDocument;
  version: number;
  hash: string;
  agreed_at: number;
}

/** Who said that they are under 14. */
interface DeclaredMinors {
  user_id: number;
  declared_at: number;
}

export interface GuardianConsents {
  id: Generated<number>;
  user_id: number;
  name: string;
  phone: string;
  document: AgreementDocument;
  version: number;
  hash: string;
  agreed_at: number;
}

/** Teachers who see and keep the orders of the school (docs/decisions/047-buying.md). */
interface OrderKeepers {
  user_id: number;
  created_at: number;
}

/** That a student asks for the money of an order back. */
export interface RefundAsks {
  id: number;
  order_id: number;
  user_id: number;
  reason: string;
  state: RefundAskState;
  /** What the school says where it declines. */
  answer: Default<string>;
  by_whom: Default<string>;
  /** The refund that it became. */
  refund_id: number | null;
  created_at: number;
  answered_at: number | null;
}

/** An invoice (发票) that a student asks for. */
export interface Invoices {
  id: number;
  order_id: number;
  user_id: number;
  kind: InvoiceKind;
  title: string;
  /** Of a company. */
  tax_no: Default<string>;
  email: string;
  state: InvoiceState;
  /** What it was issued for, in fen. */
  amount: Default<number>;
  /** Its number, and that of the red one that takes it back. */
  number: Default<string>;
  red_number: Default<string>;
  answer: Default<string>;
  by_whom: Default<string>;
  created_at: number;
  answered_at: number | null;
}

/** What the comparison of a day with a provider's bill found last. */
export interface OrderChecks {
  day: string;
  channel: PayChannel;
  outcome: CheckOutcome;
  /** JSON: sums and differences. */
  found: string;
  at: number;
}

/** A live lesson of a pack. */
export interface LiveLessons {
  id: Generated<number>;
  pack_id: number;
  /** Who teaches it. */
  teacher_id: number;
  title: string;
  /** 0 the room of this site, 1 another platform (spec §3). */
  live_platform: number;
  live_url_pc: string;
  /** For phones; empty: the same. */
  live_url_h5: string;
  /** Where it can be seen afterwards; empty: nowhere yet. */
  replay_url: string;
  starts_at: number;
  ends_at: number;
  /** When those who booked it were told that it begins; null: not yet. */
  told_at: number | null;
  /** When it was called off; null: it was not. */
  cancelled_at: number | null;
  created_by: number;
  /** Names it for its creator, so that a press that is sent twice is one. */
  client_id: string | null;
  created_at: number;
  /** Of one in the room of this site: when its teacher started it, or its first stream came; null: not yet. */
  started_at: Default<number | null>;
  /** When it ended; null: it has not, or is held elsewhere. */
  ended_at: Default<number | null>;
  /** When its stream was last heard, to within seconds; null: never. */
  heard_at: Default<number | null>;
  /** When its last stream was over; null: one comes, or none ever did. */
  over_at: Default<number | null>;
  /** The media made of its recording; null: none yet. */
  replay_media_id: Default<number | null>;
}

/** Where the stream of a lesson in the room of this site comes in. */
export interface LiveStreams {
  live_id: number;
  /** What it is called in folders and messages; no secret. */
  stream: string;
  /** Who has it may send: for teachers alone. */
  stream_key: string;
  /** The first part of the recording that belongs to the lesson, by its name: what sorts before it was a trial. Empty: all of them. */
  first_part: string;
  /** Why its encoder was refused last (rules/live/codec.ts); empty: it was not. */
  fault: string;
  /** JSON: what is warned of in its last stream (rules/live/codec.ts). */
  warnings: string;
  /** Why no replay could be made, in Chinese; empty: nothing is wrong. */
  replay_fault: string;
  /** JSON: when each part of the replay began (epoch milliseconds) and how long it is (rules/live/replay-clock.ts). */
  replay_parts: string;
  /** The connection to SRS that was let in last (decision 077); empty: none, or it is gone. */
  publisher: Default<string>;
  /** When it was let in; 0: none was. */
  let_in_at: Default<number>;
}

/** Who has booked a live lesson. */
interface LiveBookings {
  live_id: number;
  user_id: number;
  booked_at: number;
}

/** How the room of a lesson stands; who writes of a lesson holds its row. */
export interface LiveTalks {
  live_id: number;
  /** The number of the last event. */
  last_seq: number;
  muted_all: number;
  /** The message that is pinned; null: none. */
  pinned_seq: number | null;
}

/** One event in the room of a lesson, numbered from 1 without a gap. */
export interface LiveMessages {
  id: Generated<number>;
  live_id: number;
  seq: number;
  kind: TalkKind;
  user_id: number;
  by_teacher: number;
  /** Of a message, kept where it was deleted; else empty. */
  text: string;
  target_seq: number | null;
  to_user_id: number | null;
  poll_id: number | null;
  client_id: string | null;
  said_at: number;
  deleted_at: number | null;
  deleted_by: number | null;
}

interface LiveMutes {
  live_id: number;
  user_id: number;
  muted_at: number;
  muted_by: number;
}

interface LiveHands {
  live_id: number;
  user_id: number;
  raised_at: number;
}

export interface LivePolls {
  id: Generated<number>;
  live_id: number;
  question: string;
  /** JSON: the options in their order. */
  options: string;
  opened_at: number;
  closed_at: number | null;
  created_by: number;
  client_id: string;
}

interface LiveVotes {
  id: Generated<number>;
  poll_id: number;
  user_id: number;
  /** The option, from 0. */
  choice: number;
  voted_at: number;
}

/** A stretch of time in which a student was in the room of a lesson, by the server's clock. */
interface LivePresences {
  id: Generated<number>;
  live_id: number;
  user_id: number;
  from_at: number;
  until_at: number;
}

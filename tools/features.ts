/**
 * What belongs to whom: the features of the server, which of them each may use, and which tables each owns. The walls
 * (walls.config.mjs), the reading of stores (table-access.ts) and their tests read it here, and nowhere else is it written.
 */

/**
 * Each feature of the server with those it may use; it uses nothing else of `server/` but the rooms that serve everybody
 * (`http/`, `db/`, the files beside them). What a feature offers is any of its files but those that only `app.ts` and
 * `cli.ts` put together: `routes.ts`, `chores.ts`, `*-command.ts`. Features that are not built yet stand here with what they will need.
 */
export const features = {
  user: [],
  /** What the school tells one person; every feature may tell, none is known here. */
  notice: ['course', 'user'],
  /** Work of minutes that somebody asked for; every feature may have kinds of it, none is known here. */
  job: [],
  /** Files of any size on their way in; every feature may take some, none is known here. */
  upload: ['job', 'user'],
  /** Videos and sounds, from the file that came to the bytes that play. Who may watch is passed in by `app.ts`. */
  media: ['job', 'upload', 'user'],
  /** Pictures that people upload, until the feature that uses one takes it. */
  image: ['user'],
  course: ['user'],
  exam: ['course', 'notice', 'user'],
  feedback: ['course', 'exam', 'image', 'notice', 'play', 'user'],
  university: ['user'],
  /** Works on the whole database and on the machine, not on any feature (see `wholeDatabase`): of media it asks which FFmpeg would be taken, of qa which working days are known. */
  operate: ['live', 'media', 'qa'],
  import: ['course', 'exam', 'file', 'job', 'media', 'play', 'university', 'user'],
  file: ['course', 'user'],
  play: ['course', 'exam', 'file', 'media', 'user'],
  /** 今日: what a student does today and up to the exam, laid out from what the others know. */
  plan: ['course', 'exam', 'play', 'user'],
  /** Live lessons; how their streams come in (`ingest/`) needs no other feature. Their recordings become media. */
  live: ['course', 'job', 'media', 'notice', 'user'],
  comment: ['course', 'notice', 'play', 'user'],
  qa: ['course', 'exam', 'file', 'image', 'notice', 'play', 'user'],
  /** What people agree to. Whether somebody may pay is passed on by `app.ts`. */
  agreement: ['user'],
  /** What a person sees and decides of their own account; what every feature has of them is passed in by `app.ts`. */
  account: ['job', 'user'],
  order: ['course', 'notice', 'user'],
  /** The frame of the teacher's pages: what stands in it are the other features' own pages. */
  teach: [],
} as const satisfies Record<string, readonly string[]>;

type Feature = keyof typeof features;

/** Folders of `server/` that serve every feature and know none. */
export const serverRooms = ['http', 'db'] as const;

/** Folders of `rules/` that know no feature: they serve the rooms of the server and the kit of the browser. */
export const sharedRules = ['clock', 'paging', 'rich-text', 'search', 'wording'] as const;

/** Folders of `web/` that are no feature. */
export const webRooms = ['app', 'pages', 'lib', 'locale', 'public'] as const;

/**
 * Each table with its owner, whose stores alone read and write it; others call the owner's functions. `db` is the room
 * `server/db`, whose `settings-store.ts` keeps what belongs to the installation.
 */
export const tableOwners = {
  user: [
    'users',
    'sessions',
    'known_devices',
    'captcha_challenges',
    'captcha_tickets',
    'asked_codes',
    'rate_events',
    'identities',
  ],
  course: [
    'packs',
    'pack_categories',
    'pack_teachers',
    'promotions',
    'courses',
    'chapters',
    'enrolments',
    'pack_files',
  ],
  exam: [
    'cases',
    'questions',
    'question_accuracy',
    'exams',
    'exam_questions',
    'corrections',
    'paper_revisions',
    'question_revisions',
    'case_revisions',
    'exam_question_stats',
    'exam_records',
    'exam_answers',
    'late_saves',
    'record_reopenings',
    'chapter_progress',
    'wrong_questions',
    'review_cards',
    'study_settings',
    'last_reviews',
    'own_rescores',
    'own_records_on_way',
    'collected_questions',
    'own_papers',
    'stand_ins',
    'point_ticks',
    'time_gifts',
    'time_gift_records',
    'accommodations',
    'study_counts',
    'study_days',
    'question_times',
    'question_quality',
    'records_to_count',
    'counted_answers',
    'question_corrections',
    'rescore_tasks',
    'record_rescores',
  ],
  image: ['images'],
  job: ['jobs'],
  upload: ['uploads'],
  media: ['media', 'media_renditions'],
  notice: ['notices', 'announcements', 'announcement_reads', 'unwanted_notices'],
  play: [
    'lessons',
    'lesson_practices',
    'lesson_progress',
    'study_clocks',
    'play_rights',
    'lesson_notes',
    'lesson_subtitles',
  ],
  plan: ['plan_settings', 'plan_left_out', 'plan_days', 'sitting_plans'],
  file: ['course_file_folders', 'course_files', 'course_file_downloads'],
  comment: ['comments', 'comment_praises'],
  live: [
    'live_lessons',
    'live_bookings',
    'live_streams',
    'live_talks',
    'live_messages',
    'live_mutes',
    'live_hands',
    'live_polls',
    'live_votes',
    'live_presences',
  ],
  feedback: ['exam_feedback', 'feedback_answers', 'feedback_images'],
  qa: [
    'qa_entries',
    'qa_threads',
    'qa_images',
    'qa_revisions',
    'qa_flags',
    'qa_useful',
    'qa_terms',
    'qa_tags',
    'qa_thread_tags',
    'qa_pack_tags',
    'qa_keys',
    'qa_key_people',
    'qa_phrases',
  ],
  university: ['universities', 'university_goals'],
  order: [
    'coupons',
    'coupon_codes',
    'user_coupons',
    'orders',
    'payments',
    'refunds',
    'order_events',
    'payment_inbox',
    'sandbox_trades',
    'sandbox_refunds',
    'order_keepers',
    'refund_asks',
    'invoices',
    'order_checks',
  ],
  account: ['data_exports'],
  agreement: ['agreement_versions', 'agreement_consents', 'declared_minors', 'guardian_consents'],
  db: ['settings', 'migrations'],
} as const satisfies Partial<Record<Feature | 'db', readonly string[]>>;

/** Tables that no query of a feature may name; `schema.ts` does not have them. */
export const internalTables: readonly string[] = ['migrations'];

/**
 * Tables that a process keeps in memory (the sessions of signed-in people). A statement that changes or deletes their rows
 * runs on a `PeopleTrx` (server/db/open.ts), which only `Db.changePeople` gives, so that what is in memory is given up after its commit.
 */
export const tablesKeptInMemory: readonly string[] = ['users', 'sessions'];

/**
 * What hangs on correctness: read in the room of grading alone, which gives it to nobody who may not see it now
 * (server/exam/grading/visible-grades.ts). Whole tables (true), or columns of one; its other columns are free.
 */
export const gradedColumns: Readonly<Record<string, true | readonly string[]>> = {
  question_accuracy: true,
  exam_question_stats: true,
  chapter_progress: true,
  record_reopenings: true,
  wrong_questions: true,
  review_cards: true,
  last_reviews: true,
  point_ticks: true,
  study_counts: true,
  question_quality: ['choices', 'attention'],
  counted_answers: true,
  record_rescores: true,
  exam_records: ['score', 'right_count', 'wrong_count', 'unanswered_count', 'pending_count', 'graded'],
};
export const gradingRoom = 'server/exam/grading/';

/** Files that read tables of every owner, with the reason. They only read, and no feature may be written like them. */
export const wholeDatabase: Readonly<Record<string, string>> = {
  'server/operate/whole-database-store.ts':
    'Backup, restore and doctor look at a database as a whole, also at one that no server has opened yet.',
};

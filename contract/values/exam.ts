/** Kinds of practice: without a score, and may show keys (decisions §3). */
export const practiceKinds = ['chapter', 'afterclass'] as const;
/** Kinds of scored exam that a school composes, in the order in which the exam center lists them. */
export const schoolScoredKinds = ['mock', 'past', 'timed'] as const;
/** What a school offers, in the order of the exam center. */
export const schoolKinds = [...practiceKinds, ...schoolScoredKinds] as const;
export type SchoolKind = (typeof schoolKinds)[number];
/** What students put together for themselves: own, a practice · random, a scored paper drawn by the server. */
export const ownKinds = ['own', 'random'] as const;
export type OwnKind = (typeof ownKinds)[number];
/** Every kind with a score, whoever composed it: no key before hand-in. */
export const scoredKinds = [...schoolScoredKinds, 'random'] as const;
/** Every kind of exam. */
export const examKinds = [...schoolKinds, ...ownKinds] as const;
export type PracticeKind = (typeof practiceKinds)[number];
export type SchoolScoredKind = (typeof schoolScoredKinds)[number];
/** Kinds that a school composes as papers: chapter practice follows from the chapters. */
export const paperKinds = ['afterclass', ...schoolScoredKinds] as const;
export type PaperKind = (typeof paperKinds)[number];
export type ExamKind = (typeof examKinds)[number];

/** 1 judge · 2 single · 3 multiple · 4 short answer · 5 one or more letters · 8 short answer with self-scoring (spec §3). */
export const questionTypes = [1, 2, 3, 4, 5, 8] as const;

/** submitted: handed in by the student · timeUp: at the end, with answers · unanswered: at the end, without (未作答). */
export const closings = ['submitted', 'timeUp', 'unanswered'] as const;
export type Closed = (typeof closings)[number];
/** Ends by which a student took the exam, so that they count among its takers. */
export const takerClosings = ['submitted', 'timeUp'] as const satisfies readonly Closed[];

/** Which finished record of a student counts in the ranking of a paper. */
export const countedRecords = ['first', 'best', 'last'] as const;
export type CountedRecord = (typeof countedRecords)[number];

/** Labels of a score: 优秀, 及格, 起步 (spec §9). */
export const scoreLevels = ['excellent', 'pass', 'start'] as const;
export type ScoreLevel = (typeof scoreLevels)[number];
/** Percent from which a score is a pass (spec §9), and under which a part of a record is weak; a paper may have a mark of its own. */
export const PASS_PERCENT = 60;

/** What a student notes of a question: flag, to look at it again (标记); guess, that the answer is one (蒙的). */
export const marks = ['flag', 'guess'] as const;
export type Mark = (typeof marks)[number];

/** `questionMode` (spec §3 Exam context). Every record opens in answer mode; reciting is a setting of the window alone. */
export const questionModes = { answer: 1, recite: 2 } as const;

/** `testType` of a timed special test; every other exam has 0 (spec §3 Exam context). */
export const TIMED_TEST = 11;

/** The longest answer, in code points; an input's `maxlength`, in UTF-16 units, may stop a little sooner. */
export const ANSWER_LONGEST = 20_000;

/**
 * Records that one student may begin, over all servers: at most `most` within so many milliseconds. One a minute for two
 * hours is more than anybody sits through; going on with a record counts nothing.
 */
export const STARTS = [
  { within: 3_600_000, most: 120 },
  { within: 86_400_000, most: 500 },
] as const;

/** Of a question in the wrong-question list: in it · it left by the rule · the student removed it. */
export const wrongStates = ['in', 'left', 'removed'] as const;
export type WrongState = (typeof wrongStates)[number];

/** Right answers in a row after which a question leaves the wrong-question list; 0: only by hand. */
export const leaveAfters = [1, 2, 3, 0] as const;
export type LeaveAfter = (typeof leaveAfters)[number];
/** Until the student chooses: once may be luck. */
export const LEAVE_AFTER: LeaveAfter = 2;

/** Questions to review a day: bounds, and until the student chooses. */
export const DAILY_LEAST = 5;
export const DAILY_MOST = 200;
export const DAILY_SIZE = 20;

/** Practices that a student may put together, today's reviews among them, over all servers: at most `most` within so many milliseconds. */
export const OWN_PAPERS = { within: 86_400_000, most: 300 } as const;
/** The most questions of a paper that a student puts together. */
export const OWN_PAPER_MOST = 200;
/** Questions that are removed from the wrong-question list, or restored to it, by one call at most. */
export const MOVE_MOST = 200;
/** A second press within so many milliseconds gets the paper of the first one. */
export const SAME_PRESS = 60_000;

/** Bounds of a random paper: its length in minutes, and the points of one question. */
export const RANDOM_MINUTES = { least: 5, most: 300, usual: 60 } as const;
export const RANDOM_SCORE = { least: 0.5, most: 100, step: 0.5 } as const;

/** The longest private note on a question, in code points. */
export const NOTE_LONGEST = 500;

/** Scoring points of one question (采点) at most; a browser counts as an imported file is counted. */
export const POINTS_MOST = 30;
/** The longest scoring point as its author typed it, in UTF-16 units. */
export const POINT_LONGEST = 500;
/** Key words of one scoring point at most, other wordings included, and the longest of them. */
export const WORDS_MOST = 12;
export const WORD_LONGEST = 40;

/** Minutes that may be given back to a record at once (补时): a day; and all together: two. */
export const GIVE_MOST = 24 * 60;
export const GIVEN_MOST = 2 * GIVE_MOST;
/** The longest reason for it, in code points. */
export const GIVE_REASON_LONGEST = 200;
/** Chosen records that may be given time in one call; a whole paper has no such bound. */
export const GIVE_TO_MOST = 200;
/** The share of the usual time, in percent, that an accommodation may give (延长考试时间), and the most minutes instead of it. */
export const accommodationPercents = [125, 150, 200] as const;
export type AccommodationPercent = (typeof accommodationPercents)[number];
export const ACCOMMODATION_MOST = 300;
export const DAY_MINUTES = 24 * 60;
/** How a question is graded: by its key · everybody gets its points (送分) · it counts for nothing (作废), its points are 0. */
export const gradeModes = ['key', 'all', 'void'] as const;
export type GradeMode = (typeof gradeModes)[number];

/** Why a question needs a look, the most urgent first (rules/exam/quality.ts). */
export const lookReasons = ['keyBeaten', 'negative', 'reported', 'weak'] as const;
export type LookReason = (typeof lookReasons)[number];

/** The longest reason that a teacher writes for a correction, in code points. */
export const CORRECTION_REASON_LONGEST = 300;
/** The longest reason for taking a question out, in characters. */
export const RETIRE_REASON_LONGEST = 200;

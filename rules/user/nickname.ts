import { NAME_LONGEST, type Role } from '#contract/values/user.ts';

type NameCheck = { ok: true; name: string } | { ok: false; why: 'nicknameWrong' };
type NicknameCheck = NameCheck | { ok: false; why: 'nicknameStaff' };

/** Trims, makes every run of white space one space, and takes out what would be invisible or turn text around. */
function tidy(typed: string): string {
  return typed
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cn}\p{Co}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .trim();
}

/**
 * A nickname: 1 to 20 characters after tidying (envelope `nicknameWrong`), and of a student none that a reader takes for
 * the school's staff (`nicknameStaff`). @returns the name to store
 */
export function checkNickname(typed: string, role: Role): NicknameCheck {
  const name = tidy(typed);
  const length = [...name].length;
  if (length < 1 || length > NAME_LONGEST) return { ok: false, why: 'nicknameWrong' };
  return role === 'student' && posesAsStaff(name) ? { ok: false, why: 'nicknameStaff' } : { ok: true, name };
}

/** A real name: as a nickname, but it may be empty, which says that it is unknown. */
export function checkRealName(typed: string): NameCheck {
  const name = tidy(typed);
  return [...name].length <= NAME_LONGEST ? { ok: true, name } : { ok: false, why: 'nicknameWrong' };
}

/** The nickname that a new student starts with: 同学 and the last four digits of the phone. */
export function firstNickname(phone: string): string {
  return `同学${phone.slice(-4)}`;
}

/**
 * Signs that stand for another in the words below: traditional and variant forms, letters of other scripts and digits
 * that look alike. The sign itself stands first.
 */
const lookAlikes = [
  '老耂',
  '师師帥帅帀',
  '员員貟',
  '务務',
  '导導',
  '长長',
  '辅輔',
  '统統',
  '学學斈',
  '砺礪',
  '教敎',
  '讲講',
  '官宫宮',
  '系係',
  '组組',
  '课課',
  '问問',
  '顾顧',
  '台臺',
  '运運',
  '营營',
  '处處処',
  'aаɑα@4ᴀ',
  'dԁᴅ',
  'mмᴍ',
  'iіıι1l!|ɪʟ',
  'nпոɴ',
  'eеєε3ᴇ',
  'oоο0ᴏ',
  'cсᴄ',
  'tтτᴛ',
  'hһнʜ',
  'sѕ5$ꜱ',
  'kкκᴋ',
  'fꜰƒ',
  'xхχ',
  'rгʀ',
  'uυᴜ',
  'gɡɢ',
  'yуүʏ',
];
const plainSign = new Map(lookAlikes.flatMap((row) => [...row].map((sign) => [sign, [...row][0] ?? sign] as const)));

/** Words for people who speak for the school. Latin ones are written as `plainForm` leaves them (l is i). */
const staffWords =
  /老师|教师|教员|讲师|主讲|导师|助教|教授|班主任|班导|辅导员|教务|教研室|教研组|教导处|校长|院长|校方|主任|管理员|管理者|客服|课程顾问|平台运营|官方|工作人员|站长|版主|系统消息|系统通知|砺学|(?<!b)admin|teacher|officiai|moderator|iaoshi|guaniiyuan|kefu|iixue/;

/** Where such a word only comes about since two others meet: 公主讲故事, 上班导致. A sign between them parts them. */
const byChance = /公主讲|(?<=[上下跟加])班导(?=[致航游])/g;

/**
 * The word staff, in the plain form with its blanks. Unlike the words above it also comes about where two words meet (best affair): what
 * has blanks in it has to begin where a word does. Falstaff and Mustaffa are names.
 */
const staffWord = /(?<!fai|mu)staff|(?<![a-z])s ?t ?a ?f ?f/;

/** Whether a name says that its owner speaks for the school, in whatever disguise the words come. */
function posesAsStaff(name: string): boolean {
  const plain = plainForm(name);
  return staffWord.test(plain) || staffWords.test(plain.replace(byChance, '-').replaceAll(' ', ''));
}

/**
 * A name as the eye reads it: full width, circled and compatibility forms become plain (NFKC), look-alikes become the sign that they stand
 * for, accents and everything invisible go, and whatever else is no letter or digit is a blank, several of them one. The tone marks of the
 * Lisu script go too: letters to Unicode, they are dots to the eye.
 */
function plainForm(name: string): string {
  const letters = [...name.normalize('NFKC').toLowerCase()].map((sign) => plainSign.get(sign) ?? sign).join('');
  return letters
    .normalize('NFKD')
    .replace(/[\p{DI}\p{M}\ua4f8-\ua4ff]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
}

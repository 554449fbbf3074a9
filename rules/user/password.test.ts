import { describe, expect, it } from 'vitest';
import { checkNickname, checkRealName, firstNickname } from './nickname.ts';
import { checkPassword } from './password.ts';

describe('checkPassword', () => {
  it.each(['lixue-demo', 'abcdefg1', 'ABCDEFGh', '1234567.', '密码密码密码密码a', 'correct horse'])(
    'takes %j',
    (password) => expect(checkPassword(password)).toEqual({ ok: true }),
  );
  it.each(['', 'abc-123', 'abcdefgh', '12345678', 'ABCDEFGH', '--------', '密码密码密码密码', '😀😀😀a'])(
    'refuses %j',
    (password) => expect(checkPassword(password)).toEqual({ ok: false, why: 'passwordWeak' }),
  );
});

describe('checkNickname', () => {
  it.each([
    ['小明', '小明'],
    ['明', '明'],
    ['  小  明 ', '小 明'],
    ['二十个字二十个字二十个字二十个字二十个字', '二十个字二十个字二十个字二十个字二十个字'],
    ['😀'.repeat(20), '😀'.repeat(20)],
    ['a\u202eb\u200bc\u0000', 'abc'],
    ['小\n明', '小 明'],
  ])('%j → %j', (typed, name) => expect(checkNickname(typed, 'student')).toEqual({ ok: true, name }));
  it.each(['', '   ', '\u200b\u202e', '一'.repeat(21), '😀'.repeat(21), '\ud800'])('refuses %j', (typed) =>
    expect(checkNickname(typed, 'student')).toEqual({ ok: false, why: 'nicknameWrong' }),
  );
});

describe('checkRealName', () => {
  it('may be empty, which says unknown', () => expect(checkRealName(' ')).toEqual({ ok: true, name: '' }));
  it('takes names of peoples with a dot', () =>
    expect(checkRealName('阿卜杜拉·买买提')).toEqual({ ok: true, name: '阿卜杜拉·买买提' }));
  it('is not longer than 20 characters', () => {
    expect(checkRealName('一'.repeat(20))).toEqual({ ok: true, name: '一'.repeat(20) });
    expect(checkRealName('一'.repeat(21))).toEqual({ ok: false, why: 'nicknameWrong' });
  });
});

it('a new student is called by the end of the phone', () => expect(firstNickname('13800001234')).toBe('同学1234'));

describe('a nickname that poses as staff', () => {
  it.each([
    '王老师',
    '王老師',
    '王 老 师',
    '王老\u200b师',
    '王老\u3164师',
    '王·老·师',
    '王老_师_',
    '王⽼师',
    '王老帅',
    '管理员',
    '管理員',
    '系统管理员01',
    '客服小美',
    '客 服',
    '【官方】',
    '宫方通知',
    '砺学教务',
    '礪學',
    '班主任',
    '輔導員',
    '張教授',
    'Admin',
    'ＡＤＭＩＮ',
    'a.d.m.i.n',
    'аdmin',
    '@dm1n',
    'ádmin',
    'Administrator',
    'Official',
    '0fficia1',
    'Teacher Wang',
    'Lixue',
    'wanglaoshi',
    'KeFu',
    'ТEACНER',
    'ʟɪxᴜᴇ',
    '老ꓸ师',
    '耂师',
    '老帀',
    '主讲小王',
    '数学教研室',
    '课程顾问',
    'Staff',
    'Staff Anna',
    'Staff01',
    'mystaff',
    's t a f f',
    'St_aff 2',
    '小教员',
    '三班班导',
    '语文教研组',
    '教导处',
    '平台运营',
    '教研組',
    '課程顧問',
    '平台運營',
    '平臺运营',
    '教导處',
    '教导処',
    'ᴀᴅᴍɪɴ',
    'ᴛᴇᴀᴄʜᴇʀ',
    'ᴍᴏᴅᴇʀᴀᴛᴏʀ',
    'ꜱᴛᴀꜰꜰ',
    'ᴏꜰꜰɪᴄɪᴀʟ',
    'ᴋᴇꜰᴜ',
    'ɢᴜᴀɴʟɪʏᴜᴀɴ',
    'oƒƒicial',
    '高数公·主讲',
    '数学上·班导',
    '上班导',
    '下班导员',
  ])('%j is refused of a student, and a teacher may have it', (name) => {
    expect(checkNickname(name, 'student')).toEqual({ ok: false, why: 'nicknameStaff' });
    expect(checkNickname(name, 'teacher').ok).toBe(true);
  });

  it.each([
    '同学0001',
    '小砺',
    '时间管理大师',
    '师大附中',
    '长官',
    '羽毛球Badminton',
    '官渡之战',
    '系统架构备考',
    'Alice',
    '9:00起床',
    '帅哥',
    '务实',
    'Sofia',
    '学长好',
    '客家人',
    '公主讲故事',
    '上班导致秃头',
    '下班导航',
    '跟班导游',
    '加班导致秃头',
    'Falstaff',
    'Mustaffa',
    'best affair',
  ])('%j is a name as any other', (name) => expect(checkNickname(name, 'student')).toEqual({ ok: true, name }));

  it('is as long as a name may be first', () =>
    expect(checkNickname('老师'.repeat(11), 'student')).toEqual({ ok: false, why: 'nicknameWrong' }));
});

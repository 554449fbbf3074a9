import { expect, it } from 'vitest';
import english from './en.json';

it('says of Q&A and feedback in English what the spec prints, to the letter (decisions §1)', () => {
  const printed = {
    题目有误: 'has problem',
    错别字: 'typo',
    答案有误: 'answer has problem',
    答案与解析不符: 'answer does not match explanation',
    其他: 'other',
    请至少选择一个选项: 'please select at least one option',
    请输入问题描述: 'please enter a problem description',
    '已收到您的反馈，感谢': 'your feedback has been received, thanks',
    '反馈失败，请稍后重试': 'feedback failed, please try again later',
    请输入内容: 'please enter content',
    提交成功: 'submitted successfully',
    '提交失败，请稍后重试': 'submit failed, please try again later',
    教学答疑: 'teaching Q&A',
    纠错: 'correction',
    建议反馈: 'suggestion/feedback',
    视频内容错误: 'video content error',
    视频卡顿或无法播放: 'video stuck or cannot play',
  };
  expect(english).toMatchObject(printed);
});

it('has one word for what was not answered: 未作答 (decisions §3)', () => {
  expect(Object.keys(english).filter((text) => text.includes('未答'))).toEqual([]);
  expect(Object.values(english).filter((words) => /not answered:|^not answered$/i.test(String(words)))).toEqual([]);
});

it('says what an English reader would write', () => {
  expect(english).toMatchObject({
    再考一次: 'Retake',
    '第 {rank} 名': '{rank:th}',
    '共 {count} 人': 'of {count}',
    '{n} 秒后可重发': 'Resend in {n} s',
    题目类型: 'Exam types',
    主管部门: 'Governed by',
    答题数: 'Questions answered',
    蒙对: 'Lucky guess',
    只由我手动移除: 'Only by hand',
    我同问的: 'Questions I have too',
    '、': { default: ', ', last: ' and ' },
  });
});

it('addresses a person as 您, but for 请输入你的得分, which the spec prints, and the field that is its like', () => {
  const printed = ['请输入你的得分', '请输入你的答案'];
  expect(Object.keys(english).filter((text) => text.includes('你') && !printed.includes(text))).toEqual([]);
});

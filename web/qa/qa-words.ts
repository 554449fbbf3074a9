import { type QaState, type QaType, qaPlatform, qaState, qaType } from '#contract/values/qa.ts';
import { msg } from '#web/lib/t.ts';

/** Words of what is asked or said, marked for `t`. */
export const typeWords: Readonly<Record<QaType, string>> = {
  [qaType.teaching]: msg('教学答疑'),
  [qaType.correction]: msg('视频内容错误'),
  [qaType.videoStuck]: msg('视频卡顿或无法播放'),
  [qaType.suggestion]: msg('建议反馈'),
};

/** Where something was written (spec §9): 2 PC, 1 Iphone, anything else 安卓. */
export function platformWord(platform: number): string {
  if (platform === qaPlatform.pc) return 'PC';
  return platform === qaPlatform.iphone ? 'Iphone' : msg('安卓');
}

/** What became of a question, a correction or a suggestion. */
export function stateWord(type: QaType, state: QaState): string {
  if (type === qaType.teaching) return state === qaState.waiting ? msg('待回答') : msg('已回答');
  if (state === qaState.waiting) return msg('待处理');
  if (state === qaState.received) return msg('收到');
  if (state === qaState.declined) return msg('不采纳');
  return type === qaType.suggestion ? msg('已采纳') : msg('已修正');
}

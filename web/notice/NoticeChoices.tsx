import '#ui/form.css';
import type { NoticeTopic } from '#contract/values/notice.ts';
import { TextBones } from '#ui/Bones.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { failureText } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import classes from './NoticeChoices.module.css';

const LIST = 'GET /app/common/notice_topics';

const words: Readonly<Record<NoticeTopic, readonly [name: string, says: string]>> = {
  qaAnswers: [msg('答疑有了回答'), msg('自己的提问和同问的问题')],
  reports: [msg('反馈有了处理结果'), msg('试题反馈、播放问题、视频纠错与建议')],
  scores: [msg('成绩有变化'), msg('试题答案或分值更正之后')],
  comments: [msg('评论有了回复'), msg('老师回复了课程或答疑里的评论')],
  live: [msg('直播开始'), msg('预约过的直播，以及它改期或取消')],
  qaFollowUps: [msg('追问与转交'), msg('自己回答过的和转交给自己的提问')],
};

/** What a person wants to be told of; what must come is said, and not theirs to choose. */
export function NoticeChoices() {
  const call = useCall(LIST, {}, { staleTime: 0 });
  const choose = useSend('POST /app/common/notice_topic', { renews: [LIST] });
  const change = async (topic: NoticeTopic, wanted: 0 | 1) => {
    try {
      await choose.mutateAsync({ topic, wanted });
      toast(wanted === 1 ? t('以后会通知您') : t('以后不再通知'), 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  return (
    <CallState call={call} skeleton={<TextBones lines={5} />}>
      {({ list }) => (
        <>
          <div className={classes.choices}>
            {list.map(({ topic, wanted }) => (
              <label key={topic} className={fields.choice}>
                <input
                  type="checkbox"
                  checked={wanted === 1}
                  // Closed, it would lose the keyboard.
                  onChange={() => void (choose.isPending || change(topic, wanted === 1 ? 0 : 1))}
                />
                <span>
                  {t(words[topic][0])}
                  <small>{t(words[topic][1])}</small>
                </span>
              </label>
            ))}
          </div>
          <p className={classes.always}>
            {t('学校通知、订单与退款、考试时间的变化，以及自己发布的内容被隐藏或放行，总会通知您。')}
          </p>
        </>
      )}
    </CallState>
  );
}

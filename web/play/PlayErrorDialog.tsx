import { Button, Modal } from '@mantine/core';
import { useRef } from 'react';
import { Link } from 'react-router';
import { FEEDBACK_LONGEST, PLAYER_FEEDBACK } from '#contract/values/feedback.ts';
import dialog from '#ui/dialog-actions.module.css';
import type { Failure } from '#ui/player/source.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { paths } from '#web/lib/paths.ts';
import { CallError } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { deviceName } from './device-name.ts';

interface Props {
  /** Null: nothing failed. */
  failure: Failure | null;
  onClose: () => void;
  packId: number;
  lessonId: number;
  /** What failed where, for whoever looks into it; one line. */
  facts: () => string;
}

/** The codes of the product spec §8. */
const codes = { decode: 3, network: 4 } as const;

/** 播放错误 (code 3) and 网络错误 (code 4); no other code has a dialog (spec §8). */
export function PlayErrorDialog({ failure, onClose, packId, lessonId, facts }: Props) {
  const report = useSend('POST /api/feedback/video_submit', { renews: ['GET /app/feedback/history'] });
  const code = codes[failure ?? 'decode'];
  // The second of two quick clicks comes before the button shows that it waits.
  const telling = useRef(false);
  const tell = async () => {
    if (telling.current) return;
    telling.current = true;
    try {
      await report.mutateAsync({
        feedbackType: PLAYER_FEEDBACK,
        feedbackDesc: [t('播放错误代码 {code}', { code }), facts()].join(' · ').slice(0, FEEDBACK_LONGEST),
        deviceName: deviceName(),
        packId,
        resourceId: lessonId,
      });
      toast(t('已收到您的意见,感谢反馈'), 'good');
      onClose();
    } catch (error) {
      // The server's own sentence where it has one (spec §8).
      toast(error instanceof CallError && error.code !== 0 ? t(error.msg) : t('反馈失败'), 'bad');
    } finally {
      telling.current = false;
    }
  };
  return (
    <Modal
      opened={failure !== null}
      onClose={onClose}
      title={failure === 'network' ? t('网络错误') : t('播放错误')}
      size={440}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      <p>
        {failure === 'network'
          ? t('当前网络不支持播放本站视频，请检查网络。')
          : t('视频文件加载失败，或当前浏览器不支持播放。建议更换浏览器后再试。')}
      </p>
      <div className={dialog.actions}>
        <WaitButton variant="default" waiting={report.isPending} onClick={() => void tell()}>
          {t('上传报错')}
        </WaitButton>
        {failure === 'network' ? (
          <Button component={Link} to={paths.networkCheck()} target="_blank">
            {t('检查网络')}
          </Button>
        ) : (
          <Button onClick={() => window.location.reload()}>{t('重新尝试')}</Button>
        )}
      </div>
    </Modal>
  );
}

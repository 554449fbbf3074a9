import {
  type Icon,
  IconBroadcast,
  IconChartBar,
  IconHelpCircle,
  IconHome,
  IconHourglass,
  IconMessage,
  IconMessageReport,
  IconMovie,
  IconReceipt,
  IconSpeakerphone,
} from '@tabler/icons-react';
import { paths } from '#web/lib/paths.ts';
import { t, tIn } from '#web/lib/t.ts';

interface TeachPlace {
  to: string;
  word: () => string;
  icon: Icon;
}

/** The pages of a teacher in the order of their navigation: one line each, and one in the router. */
export const teachPlaces: readonly TeachPlace[] = [
  { to: paths.teach(), word: () => t('主页'), icon: IconHome },
  { to: paths.teachQa(), word: () => t('答疑'), icon: IconHelpCircle },
  { to: paths.teachFeedback(), word: () => tIn('teach', '试题反馈'), icon: IconMessageReport },
  { to: paths.teachSitting(), word: () => t('监考与补时'), icon: IconHourglass },
  { to: paths.teachQuestions(), word: () => t('试题质量'), icon: IconChartBar },
  { to: paths.teachComments(), word: () => t('课程评论'), icon: IconMessage },
  { to: paths.teachOrders(), word: () => t('订单'), icon: IconReceipt },
  { to: paths.teachNotices(), word: () => tIn('teach', '学校通知'), icon: IconSpeakerphone },
  { to: paths.teachLive(), word: () => tIn('nav', '直播'), icon: IconBroadcast },
  { to: paths.teachMedia(), word: () => t('视频与音频'), icon: IconMovie },
];

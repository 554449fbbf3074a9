import {
  type Icon,
  IconBook2,
  IconBroadcast,
  IconCertificate,
  IconChartBar,
  IconClipboardText,
  IconDeviceLaptop,
  IconFileText,
  IconHelpCircle,
  IconId,
  IconMail,
  IconMessageReport,
  IconNotebook,
  IconReceipt,
  IconSettings,
  IconShieldLock,
  IconTicket,
} from '@tabler/icons-react';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';

interface PersonPlace {
  to: string;
  word: () => string;
  icon: Icon;
  /** How many things there were not looked at. */
  counts?: 'feedback';
}

interface PersonGroup {
  key: string;
  word: () => string;
  places: readonly PersonPlace[];
}

/** The pages of a person in the order of their navigation, on the phone a list: one line each, and one in the router. */
export const personGroups: readonly PersonGroup[] = [
  {
    key: 'study',
    word: () => t('学习'),
    places: [
      { to: paths.myCourses(), word: () => t('我的课程'), icon: IconBook2 },
      { to: paths.myExams(), word: () => t('我的考试'), icon: IconClipboardText },
      { to: paths.wrongQuestions(), word: () => t('错题本'), icon: IconNotebook },
      { to: paths.statistics(), word: () => t('学习统计'), icon: IconChartBar },
      { to: paths.myQuestions(), word: () => t('我的提问'), icon: IconHelpCircle },
      { to: paths.lives(), word: () => t('我的直播'), icon: IconBroadcast },
      { to: paths.myFiles(), word: () => t('我的资料'), icon: IconFileText },
      { to: paths.myCredits(), word: () => t('我的学分'), icon: IconCertificate },
    ],
  },
  {
    key: 'bought',
    word: () => t('购买'),
    places: [
      { to: paths.myOrders(), word: () => t('我的订单'), icon: IconReceipt },
      { to: paths.myCoupons(), word: () => t('我的优惠券'), icon: IconTicket },
    ],
  },
  {
    key: 'told',
    word: () => t('消息'),
    places: [
      { to: paths.notices(), word: () => t('通知'), icon: IconMail },
      { to: paths.myFeedback(), word: () => t('我的反馈'), icon: IconMessageReport, counts: 'feedback' },
    ],
  },
  {
    key: 'account',
    word: () => t('账号'),
    places: [
      { to: paths.settings(), word: () => t('设置'), icon: IconSettings },
      { to: paths.realName(), word: () => t('实名信息'), icon: IconId },
      { to: paths.devices(), word: () => t('登录设备'), icon: IconDeviceLaptop },
      { to: paths.myData(), word: () => t('数据与注销'), icon: IconShieldLock },
    ],
  },
];

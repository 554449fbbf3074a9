import { Menu, UnstyledButton } from '@mantine/core';
import '#ui/menu.css';
import {
  IconBook2,
  IconBriefcase,
  IconChartBar,
  IconChevronDown,
  IconClipboardText,
  IconLogout,
  IconMessageReport,
  IconNotebook,
  IconReceipt,
  IconSettings,
  IconTicket,
  IconUser,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { UnreadCount, UnreadDot } from '#web/feedback/UnreadCount.tsx';
import type { Me } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { Avatar } from '#web/user/Avatar.tsx';
import { RoleMark } from '#web/user/RoleMark.tsx';
import { signOut } from '#web/user/sign-out.ts';
import classes from './UserMenu.module.css';

/** The signed-in person in the header, with the own pages behind it. */
export function UserMenu({ me }: { me: Me }) {
  const icon = { size: 18, stroke: 1.6, 'aria-hidden': true };
  return (
    <Menu width={200}>
      <Menu.Target>
        <UnstyledButton className={classes.user}>
          <span className={classes.face}>
            <Avatar me={me} size={32} />
            <UnreadDot />
          </span>
          <span className={classes.name}>{me.nickname}</span>
          <span className={classes.role}>
            <RoleMark of={me} />
          </span>
          <span className="unseen">{t('的菜单')}</span>
          <IconChevronDown size={16} aria-hidden className={classes.arrow} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {me.role === 'teacher' && (
          <Menu.Item component={Link} to={paths.teach()} leftSection={<IconBriefcase {...icon} />}>
            {t('教师工作台')}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to={paths.myCourses()} leftSection={<IconBook2 {...icon} />}>
          {t('我的课程')}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.myOrders()} leftSection={<IconReceipt {...icon} />}>
          {t('我的订单')}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.myCoupons()} leftSection={<IconTicket {...icon} />}>
          {t('我的优惠券')}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.myExams()} leftSection={<IconClipboardText {...icon} />}>
          {t('我的考试')}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.wrongQuestions()} leftSection={<IconNotebook {...icon} />}>
          {t('错题本')}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.statistics()} leftSection={<IconChartBar {...icon} />}>
          {t('学习统计')}
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={paths.myFeedback()}
          leftSection={<IconMessageReport {...icon} />}
          rightSection={<UnreadCount />}
        >
          {t('我的反馈')}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.me()} leftSection={<IconUser {...icon} />}>
          {t('个人中心')}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.settings()} leftSection={<IconSettings {...icon} />}>
          {t('设置')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => void signOut()}>
          {t('退出')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

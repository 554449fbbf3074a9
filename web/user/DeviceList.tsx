import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useRef } from 'react';
import { RowBones } from '#ui/Bones.tsx';
import { confirm } from '#ui/confirm.ts';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { type Data, failureText } from '#web/lib/send.ts';
import { sentences, t } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import classes from './DeviceList.module.css';

const LIST = 'GET /api/user/session_list';
type Session = Data<typeof LIST>['list'][number];

const mobile = new Set(['iPhone', 'iPad', 'Android', 'HarmonyOS']);

function nameOf({ browser, system }: Session): string {
  const named = browser === 'WeChat' ? t('微信') : browser;
  return [named, system].filter((part) => part !== '').join(' · ') || t('其他设备');
}

/** Where one is signed in, this device first, and signing out elsewhere at once. */
export function DeviceList() {
  const call = useCall(LIST, {}, { staleTime: 0 });
  const whole = useRef<HTMLDivElement>(null);
  useKeptFocus(whole, 'li');
  const end = useSend('POST /api/user/session_end', { renews: [LIST] });
  const signOut = async (session: Session | null) => {
    const yes = await confirm({
      title: session === null ? t('退出其他所有设备？') : t('退出这台设备？'),
      text: t('那里会立即退出登录。正在那里进行的考试不会丢失已保存的答案，重新登录后可以继续。'),
      yes: t('退出登录'),
      danger: true,
    });
    if (!yes) return;
    try {
      const { ended } = await end.mutateAsync(session === null ? {} : { sessionId: session.sessionId });
      toast(t('已退出 {n} 台设备', { n: ended }), 'good');
    } catch (failure) {
      toast(failureText(failure), 'bad');
    }
  };
  return (
    <div ref={whole} tabIndex={-1}>
      <CallState call={call} skeleton={<RowBones count={3} height={76} />}>
        {({ list }) => (
          <>
            <ul className={`${rows.rows} ${classes.list}`}>
              {[...list]
                .sort((a, b) => b.current - a.current)
                .map((session) => (
                  <li key={session.sessionId} className={classes.row} tabIndex={-1}>
                    {mobile.has(session.system) ? (
                      <IconDeviceMobile size={24} stroke={1.5} aria-hidden />
                    ) : (
                      <IconDeviceDesktop size={24} stroke={1.5} aria-hidden />
                    )}
                    <div className={classes.what}>
                      <span className={classes.name}>
                        {nameOf(session)}
                        {session.current === 1 && <span className={classes.here}>{t('本机')}</span>}
                      </span>
                      <span className={rows.facts}>
                        <span>{t('登录于 {time}', { time: formatMoment(session.createdAt, serverNow()) })}</span>
                        <span>{t('最近使用 {time}', { time: formatMoment(session.lastSeenAt, serverNow()) })}</span>
                        {session.place !== '' && <span>{t('网络 {place}', { place: session.place })}</span>}
                      </span>
                    </div>
                    {session.current === 0 && (
                      <WaitButton
                        variant="default"
                        waiting={end.isPending && end.variables?.sessionId === session.sessionId}
                        aria-label={t('退出 {device}', { device: nameOf(session) })}
                        onClick={() => void signOut(session)}
                      >
                        {t('退出')}
                      </WaitButton>
                    )}
                  </li>
                ))}
            </ul>
            {list.length > 1 && (
              <WaitButton
                variant="default"
                size="md"
                className={classes.all}
                waiting={end.isPending && end.variables?.sessionId === undefined}
                onClick={() => void signOut(null)}
              >
                {t('退出其他所有设备')}
              </WaitButton>
            )}
            <p className={classes.note}>
              {sentences(
                t('“网络”是登录时网络地址的前半段，不查询位置。'),
                t('发现不认识的设备，请退出它并修改密码。'),
              )}
            </p>
          </>
        )}
      </CallState>
    </div>
  );
}

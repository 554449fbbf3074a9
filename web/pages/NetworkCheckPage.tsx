import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconLoader2 } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { WaitButton } from '#ui/WaitButton.tsx';
import { checkNetwork, type NetworkFindings } from '#web/lib/network-check.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import classes from './NetworkCheckPage.module.css';
import page from './page.module.css';

/** Milliseconds there and back above which a film begins late, and by which a clock may be wrong without harm. */
const SLOW = 400;
const WRONG_CLOCK = 60_000;
/** Bits a second that the lowest and the highest quality ask for, with room. */
const LEAST = 800_000;
const PLENTY = 3_000_000;

/** 检查网络: how this browser reaches the school's server (spec §8, player error 4). */
export default function NetworkCheckPage() {
  useTitle(t('检查网络'));
  const [found, setFound] = useState<NetworkFindings | null>(null);
  const running = useRef<AbortController | null>(null);
  const run = useCallback(() => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setFound(null);
    checkNetwork(mine.signal).then(
      (now) => running.current === mine && setFound(now),
      () => undefined,
    );
  }, []);
  useEffect(() => {
    run();
    return () => running.current?.abort();
  }, [run]);
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t('检查网络')}</h1>
      <p className={page.lead}>{t('只检查您的浏览器到本站服务器的连接，不会访问其他网站。')}</p>
      <div className={page.section} aria-live="polite" aria-busy={found === null}>
        <dl className={classes.list}>
          <Reach found={found} />
          <Speed found={found} />
          <Clock found={found} />
        </dl>
        <div className={classes.buttons}>
          <WaitButton waiting={found === null} onClick={run}>
            {t('重新检查')}
          </WaitButton>
          <Button component={Link} to={paths.home()} variant="default">
            {t('回到首页')}
          </Button>
        </div>
      </div>
    </div>
  );
}

interface Found {
  found: NetworkFindings | null;
}

function Reach({ found }: Found) {
  const name = t('能否连上服务器');
  if (found === null) return <Row name={name} good={null} says={t('正在检查…')} />;
  const { answered, asked, trip } = found;
  if (trip === null)
    return (
      <Row
        name={name}
        good={false}
        says={t('连不上服务器。请检查网线或无线网络，关闭代理或加速软件后再试；仍然不行，请联系学校。')}
      />
    );
  const figures = t('{asked} 次请求收到 {answered} 次回答，往返 {trip} 毫秒', {
    asked,
    answered,
    trip: Math.round(trip),
  });
  if (answered < asked)
    return <Row name={name} good={false} says={figures} more={t('网络时断时续，建议换一个网络。')} />;
  if (trip > SLOW) return <Row name={name} good={false} says={figures} more={t('延迟较高，视频打开会比较慢。')} />;
  return <Row name={name} good says={figures} />;
}

function Speed({ found }: Found) {
  const name = t('下载速度');
  if (found === null) return <Row name={name} good={null} says={t('正在检查…')} />;
  if (found.speed === null) return <Row name={name} good={false} says={t('没有测出来')} />;
  const figure = t('约 {speed} Mbit/s', { speed: (found.speed / 1e6).toFixed(found.speed < 1e7 ? 1 : 0) });
  if (found.speed < LEAST)
    return <Row name={name} good={false} says={figure} more={t('低于最低清晰度的需要，视频会卡顿，请换一个网络。')} />;
  if (found.speed < PLENTY) return <Row name={name} good says={figure} more={t('卡顿时请在播放器里选择 360p。')} />;
  return <Row name={name} good says={figure} />;
}

function Clock({ found }: Found) {
  const name = t('本机时间');
  if (found === null) return <Row name={name} good={null} says={t('正在检查…')} />;
  if (found.ahead === null) return <Row name={name} good={false} says={t('没有测出来')} />;
  const seconds = Math.round(Math.abs(found.ahead) / 1000);
  if (Math.abs(found.ahead) < WRONG_CLOCK)
    return <Row name={name} good says={t('与服务器相差 {seconds} 秒', { seconds })} />;
  return (
    <Row
      name={name}
      good={false}
      says={t('与服务器相差 {seconds} 秒', { seconds })}
      more={t('时间不准会让安全连接失败，请打开系统的自动校时。')}
    />
  );
}

/** One finding: its sign, its name, and what it says. */
function Row({ name, good, says, more }: { name: string; good: boolean | null; says: string; more?: string }) {
  const Icon = good === null ? IconLoader2 : good ? IconCircleCheck : IconAlertTriangle;
  return (
    <div className={classes.row}>
      <dt>
        <Icon
          size={20}
          stroke={1.7}
          className={good === null ? classes.waits : good ? classes.good : classes.bad}
          aria-hidden
        />
        <b>{name}</b>
      </dt>
      <dd>{says}</dd>
      {more !== undefined && <dd>{more}</dd>}
    </div>
  );
}

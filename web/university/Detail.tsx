import { IconExternalLink, IconFlag3, IconFlag3Filled, IconScale } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { scrollBehavior } from '#ui/motion.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './Detail.module.css';
import { Levels } from './Levels.tsx';
import { type Tab, TabBar } from './TabBar.tsx';
import { UniversityMark } from './UniversityMark.tsx';
import type { UseGoal } from './useGoal.ts';

type Details = Data<'GET /app/university/details'>;

/** The six tabs of the detail, in their order (decisions §9); `value` is the field and the anchor. */
const tabsNow = () =>
  [
    { title: t('历史沿革'), value: 'historicalContinuation' },
    { title: t('教育教学'), value: 'education' },
    { title: t('实验室情况'), value: 'laboratorySituation' },
    { title: t('学科评估'), value: 'subjectReview' },
    { title: t('专业设置'), value: 'specialty' },
    { title: t('重点信息'), value: 'keyInformationPoints' },
  ] as const satisfies readonly Tab[];

/** A university with everything that is known of it. What is not known says so; nothing is made up (decisions §9). */
export function Detail({ university, goal }: { university: Details; goal: UseGoal }) {
  const tabs = tabsNow();
  const { active, go, top, sections } = useSections(tabs.map((tab) => tab.value));
  const { id, name } = university;
  const [target, compared] = [goal.isTarget(id), goal.isCompared(id)];
  return (
    <article className={classes.detail}>
      <header className={classes.head}>
        <UniversityMark logoUrl={university.logoUrl} name={name} size={76} />
        <div className={classes.title}>
          <h2 className={classes.name} lang="zh-CN">
            {name}
          </h2>
          {university.aliases.length > 0 && (
            <p className={classes.aliases}>
              {t('又称')} <span lang="zh-CN">{university.aliases.join(' · ')}</span>
            </p>
          )}
          <Levels university={university} />
        </div>
        <div className={classes.actions}>
          <WaitButton
            variant={target ? 'light' : 'filled'}
            leftSection={target ? <IconFlag3Filled size={17} aria-hidden /> : <IconFlag3 size={17} aria-hidden />}
            aria-label={target ? t('取消目标院校') : undefined}
            waiting={goal.isWaiting('target', id)}
            blocked={goal.busy}
            onClick={() => void goal.toggleTarget(id)}
          >
            {target ? t('目标院校') : t('设为目标')}
          </WaitButton>
          <WaitButton
            variant={compared ? 'light' : 'default'}
            leftSection={<IconScale size={17} aria-hidden />}
            waiting={goal.isWaiting('compare', id)}
            blocked={goal.busy}
            onClick={() => void goal.toggleCompared(id)}
          >
            {compared ? t('移出对比') : t('加入对比')}
          </WaitButton>
        </div>
      </header>
      <dl className={classes.facts}>
        <Fact word={t('主管部门')}>{university.affiliation}</Fact>
        <Fact word={t('类型')}>{university.tags.join(' · ')}</Fact>
        <Fact word={t('官方网站')}>
          {university.officialWeb !== '' && (
            <a href={university.officialWeb} target="_blank" rel="noopener noreferrer nofollow">
              {university.officialWeb.replace(/^https?:\/\//, '')}
              <IconExternalLink size={14} className={classes.out} aria-hidden />
              <span className="unseen">{t('（在新窗口打开）')}</span>
            </a>
          )}
        </Fact>
        <Fact word={t('电话')}>{university.tel}</Fact>
        <Fact word={t('地址')} wide>
          {university.schoolLocation}
        </Fact>
      </dl>
      <div ref={top} className={classes.tabs}>
        <TabBar tabs={tabs} active={active} onGo={go} />
      </div>
      <div ref={sections} className={classes.sections}>
        {tabs.map(({ title, value }) => (
          <section key={value} id={value} className={classes.section} aria-labelledby={`${value}-title`} tabIndex={-1}>
            <h3 id={`${value}-title`}>{title}</h3>
            {university[value] === '' ? (
              <p className={classes.nothing}>{t('暂无详细信息')}</p>
            ) : (
              <p className={classes.text} lang="zh-CN">
                {university[value]}
              </p>
            )}
          </section>
        ))}
      </div>
    </article>
  );
}

function Fact({ word, wide, children }: { word: string; wide?: boolean; children: ReactNode }) {
  const known = children !== '' && children !== false;
  return (
    <div className={classes.fact} data-wide={wide || undefined}>
      <dt>{word}</dt>
      {/* What a list says is Chinese; a link carries words of ours. */}
      <dd data-unknown={!known || undefined} lang={known && typeof children === 'string' ? 'zh-CN' : undefined}>
        {known ? children : t('暂无')}
      </dd>
    </div>
  );
}

/**
 * Which section is being read, and the way to each: the tab follows the scrolling, a pressed tab scrolls, and the section
 * is in the address, so that back, refresh and a shared link lead to it.
 */
function useSections(values: readonly string[]) {
  const { hash, pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const top = useRef<HTMLDivElement>(null);
  const sections = useRef<HTMLDivElement>(null);
  const first = values[0] ?? '';
  const [active, setActive] = useState(first);
  /** A pressed tab stays the active one although its section may be too near the end to reach the top. */
  const pressed = useRef<string | null>(null);

  function scrollTo(value: string, smooth: boolean): void {
    const section = sections.current?.querySelector<HTMLElement>(`#${CSS.escape(value)}`);
    section?.scrollIntoView({ block: 'start', behavior: smooth ? scrollBehavior() : 'instant' });
    section?.focus({ preventScroll: true });
    pressed.current = value;
    setActive(value);
  }

  const begin = useEffectEvent(() => {
    // As it stands in the address: the anchors are plain letters, and a hash typed by hand may not be decodable.
    const asked = hash.slice(1);
    if (values.includes(asked)) scrollTo(asked, false);
  });
  const follow = useEffectEvent(() => {
    const line = (top.current?.getBoundingClientRect().bottom ?? 0) + 24;
    let reading = first;
    for (const section of sections.current?.children ?? []) {
      if (section.getBoundingClientRect().top <= line) reading = section.id;
    }
    setActive(pressed.current ?? reading);
  });
  useEffect(() => {
    const frame = requestAnimationFrame(begin);
    const byHand = () => {
      pressed.current = null;
    };
    document.addEventListener('scroll', follow, { capture: true, passive: true });
    for (const kind of ['wheel', 'touchmove', 'keydown'] as const) document.addEventListener(kind, byHand);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('scroll', follow, { capture: true });
      for (const kind of ['wheel', 'touchmove', 'keydown'] as const) document.removeEventListener(kind, byHand);
    };
  }, []);

  return {
    active,
    top,
    sections,
    go: (value: string) => {
      scrollTo(value, true);
      void navigate({ pathname, search, hash: value }, { replace: true, state });
    },
  };
}

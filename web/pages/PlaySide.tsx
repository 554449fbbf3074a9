import { Button, Tabs } from '@mantine/core';
import '#ui/tabs.css';
import {
  IconAward,
  IconFileTypePdf,
  IconFolder,
  IconLayoutSidebarRightCollapse,
  IconLayoutSidebarRightExpand,
  IconListTree,
  IconMessage,
  type IconProps,
  IconWriting,
} from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import icon from '#ui/icon-button.module.css';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { recall, remember } from '#web/lib/remember.ts';
import type { Data } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { type Chapters, lessonsOf } from '#web/play/pack-lessons.ts';
import { type PlayTab, playTab, playTabs } from '#web/play/tabs.ts';
import { track } from '#web/play/tracker.ts';
import { Avatar } from '#web/user/Avatar.tsx';
import { Coming, type LateProps } from './late-panels.tsx';
import classes from './PlaySide.module.css';

const tabWords: Readonly<Record<PlayTab, { word: () => string; Icon: ComponentType<IconProps> }>> = {
  [playTab.chapters]: { word: () => tIn('tab', '章节'), Icon: IconListTree },
  [playTab.comments]: { word: () => t('评论'), Icon: IconMessage },
  [playTab.slides]: { word: () => t('课件'), Icon: IconFileTypePdf },
  [playTab.practice]: { word: () => t('练一练'), Icon: IconWriting },
  [playTab.credits]: { word: () => t('我的学分'), Icon: IconAward },
  [playTab.files]: { word: () => t('资料'), Icon: IconFolder },
};

const FOLDED = 'play-panel-folded';

/** What stands beside the stage for who has bought the pack; it folds to a strip of shortcuts (spec §2). */
export function SidePanel({
  pack,
  lesson,
  directory,
  panels,
  onWanted,
}: LateProps & { pack: Chapters; lesson: Data<'GET /app/course/lesson'> | null; directory: ReactNode }) {
  const { packId } = pack;
  const { me } = useMe();
  const [search, setSearch] = useSearchParams();
  const [folded, setFolded] = useState(() => recall(FOLDED) === '1');
  const tabs = playTabs({ lesson, scoreState: pack.scoreState, parentId: search.get('parentId') });
  const asked = Number(search.get('tab'));
  const tab = tabs.find((known) => known === asked) ?? playTab.chapters;
  const panel = useRef<HTMLElement>(null);
  // Where the keyboard goes once what had it is out of sight: to the tab that opens, or to the button that undoes it.
  const goesTo = useRef<PlayTab | 'fold' | 'unfold' | null>(null);
  useEffect(() => {
    const to = goesTo.current;
    // The address changes a moment after the panel.
    if (to === null || (typeof to === 'number' && to !== tab)) return;
    goesTo.current = null;
    const found = typeof to === 'number' ? '[role=tab][aria-selected=true]' : `[data-does=${to}]`;
    panel.current?.querySelector<HTMLElement>(found)?.focus({ preventScroll: true });
  });
  // On a narrow phone the tabs scroll sideways: the chosen one is seen whole, and the page stays where it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks when another tab is chosen
  useEffect(() => {
    const chosen = panel.current?.querySelector('[role=tab][aria-selected=true]');
    const list = chosen?.parentElement;
    if (!chosen || !list) return;
    const [at, all] = [chosen.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollLeft += Math.max(0, at.right - all.right) + Math.min(0, at.left - all.left);
  }, [tab, tabs.length]);
  const fold = (now: boolean) => {
    setFolded(now);
    remember(FOLDED, now ? '1' : '0');
  };
  const open = (now: PlayTab, { gone = false }: { gone?: boolean } = {}) => {
    if (gone) goesTo.current = now;
    onWanted();
    track('play_tab_change', { tab: now });
    fold(false);
    setSearch(
      (was) => {
        const query = new URLSearchParams(was);
        if (now === playTab.chapters) query.delete('tab');
        else query.set('tab', String(now));
        return query;
      },
      { replace: true },
    );
  };
  const show = (known: PlayTab): ReactNode => {
    if (known === playTab.chapters) return directory;
    if (panels === null) return <Coming />;
    const content = (
      <panels.SideContent
        tab={known}
        packId={packId}
        lesson={lesson}
        onClose={() => open(playTab.chapters, { gone: true })}
      />
    );
    return known === playTab.comments ? <div className={classes.padded}>{content}</div> : content;
  };
  return (
    <aside ref={panel} className={classes.side} data-folded={folded || undefined} aria-label={t('学习面板')}>
      <div className={classes.strip}>
        <button
          type="button"
          className={icon.button}
          data-does="unfold"
          aria-label={t('展开面板')}
          aria-expanded={false}
          onClick={() => {
            goesTo.current = 'fold';
            fold(false);
          }}
        >
          <IconLayoutSidebarRightExpand size={20} stroke={1.6} aria-hidden />
        </button>
        {me !== null && (
          <>
            <Avatar me={me} size={36} />
            <span className={classes.nickname}>{me.nickname}</span>
            <Button component={Link} to={paths.myCourses()} variant="default" size="compact-xs">
              {t('我的课程')}
            </Button>
          </>
        )}
        {tabs.map((known) => {
          const { word, Icon } = tabWords[known];
          return (
            <button
              key={known}
              type="button"
              className={icon.button}
              title={word()}
              aria-label={word()}
              onClick={() => open(known, { gone: true })}
            >
              <Icon size={20} stroke={1.6} aria-hidden />
            </button>
          );
        })}
      </div>
      <div className={classes.whole}>
        <div className={classes.head}>
          <p className={classes.packName}>
            <Link to={paths.course(packId)}>{pack.packageName}</Link>
          </p>
          <button
            type="button"
            className={`${icon.button} ${classes.fold}`}
            data-does="fold"
            aria-label={t('收起面板')}
            aria-expanded
            onClick={() => {
              goesTo.current = 'unfold';
              fold(true);
            }}
          >
            <IconLayoutSidebarRightCollapse size={20} stroke={1.6} aria-hidden />
          </button>
        </div>
        <Tabs
          value={String(tab)}
          onChange={(value) => {
            const chosen = tabs.find((known) => String(known) === value);
            if (chosen !== undefined) open(chosen);
          }}
          keepMounted={false}
          className={classes.tabs}
        >
          <Tabs.List className={classes.tabList}>
            {tabs.map((known) => (
              <Tabs.Tab key={known} value={String(known)}>
                {tabWords[known].word()}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map((known) => (
            <Tabs.Panel key={known} value={String(known)} className={classes.scroll} data-scrolls>
              {show(known)}
            </Tabs.Panel>
          ))}
        </Tabs>
      </div>
    </aside>
  );
}

/** What stands beside the stage for who has not bought the pack: its lessons, of which some may be tried. */
export function TrialPanel({ pack, directory }: { pack: Chapters; directory: ReactNode }) {
  return (
    <aside className={classes.side} aria-label={t('课程目录')}>
      <p className={classes.packName}>{pack.packageName}</p>
      <p className={classes.hint}>
        {lessonsOf(pack).some(({ trial }) => trial)
          ? t('试听课时可以直接打开，其余课时报名后学习。')
          : t('报名后可以学习本课程包的全部课时')}{' '}
        <Link to={paths.course(pack.packId)}>{t('去报名')}</Link>
      </p>
      <div className={classes.scroll} data-scrolls>
        {directory}
      </div>
    </aside>
  );
}

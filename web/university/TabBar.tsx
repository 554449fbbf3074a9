import { type MouseEvent, useRef } from 'react';
import { useCurrentInView } from '#ui/useCurrentInView.ts';
import { t } from '#web/lib/t.ts';
import classes from './TabBar.module.css';

export interface Tab {
  title: string;
  /** The anchor it leads to. */
  value: string;
}

interface Props {
  tabs: readonly Tab[];
  active: string;
  onGo: (value: string) => void;
}

/** Tabs that lead to the sections of one text: each is a link to the anchor of its value (spec §2). */
export function TabBar({ tabs, active, onGo }: Props) {
  const bar = useRef<HTMLElement>(null);
  useCurrentInView(bar, active);
  const go = (event: MouseEvent, value: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onGo(value);
  };
  return (
    <nav ref={bar} className={classes.bar} aria-label={t('详情目录')}>
      {tabs.map(({ title, value }) => (
        <a
          key={value}
          href={`#${value}`}
          className={classes.tab}
          aria-current={value === active ? 'location' : undefined}
          onClick={(event) => go(event, value)}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

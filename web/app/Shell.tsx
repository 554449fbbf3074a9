import { Suspense, useEffect, useRef } from 'react';
import { Outlet, useLocation, useNavigationType } from 'react-router';
import { useLate } from '#ui/useLate.ts';
import { type Me, useMe } from '#web/lib/me.ts';
import { patterns } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { AnnouncementHost } from '#web/notice/AnnouncementHost.tsx';
import { BlankPage } from './BlankPage.tsx';
import { BottomBar } from './BottomBar.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import classes from './Shell.module.css';
import { useLeftovers } from './useLeftovers.ts';

const loadDialogs = () => import('#web/user/AccountDialogs.tsx');
/** Milliseconds that a page has for what it shows (a film, say), before the code of dialogs is asked for, read and run. */
const DIALOGS_AFTER = 300;

/** What is asked of a person, and then what the school announces. They come once their code is there: without a network the page stands all the same. */
function LateDialogs({ me }: { me: Me }) {
  const found = useLate(loadDialogs, DIALOGS_AFTER);
  return (
    found && (
      <found.default me={me}>
        <AnnouncementHost />
      </found.default>
    )
  );
}

/** Pages on which nothing is asked or announced: the texts themselves, and the way in. */
const quiet: readonly string[] = [patterns.agreement, patterns.login];

/** Pages of which an entry (`id` in the address) is a page of its own, in the place of its list. */
const entries: readonly string[] = [
  patterns.qa,
  patterns.teachQa,
  patterns.teachFeedback,
  patterns.teachQuestions,
  patterns.teachOrders,
  patterns.agreement,
];

/** What stands around every page except the question screens: header, page, footer, and on phones the bottom bar. */
export default function Shell() {
  const { pathname, search } = useLocation();
  const entry = entries.includes(pathname) ? new URLSearchParams(search).get('id') : null;
  const place = entry === null ? pathname : `${pathname} ${entry}`;
  const arrival = useNavigationType();
  const main = useRef<HTMLElement>(null);
  /** Null at first: the question screens stand outside of this frame, and whoever comes from one comes to a new page. */
  const shown = useRef<string | null>(null);
  const { me } = useMe();
  useLeftovers();
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    // Back and forward keep the place; a new page begins at its top, for the eye and for a screen reader.
    if (arrival === 'POP') return;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [place, arrival]);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        {t('跳到正文')}
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        {/* A broken page leaves the header usable, and another address is another chance. */}
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<BlankPage />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      {me !== null && !quiet.includes(pathname) && <LateDialogs me={me} key={me.studentId} />}
      <Footer />
      <BottomBar />
    </div>
  );
}

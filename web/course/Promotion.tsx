import { IconArrowRight, IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router';
import icon from '#ui/icon-button.module.css';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { recall, remember } from '#web/lib/remember.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useRootMark } from '#web/lib/useRootMark.ts';
import classes from './Promotion.module.css';

type Promotion = Data<'GET /api/test/banner'>['list'][number];

/** A link of the school: a page of this site, or another site in a window of its own. */
function Leads({ link, className, children }: { link: string; className: string | undefined; children: ReactNode }) {
  if (link.startsWith('/'))
    return (
      <Link to={link} className={className}>
        {children}
      </Link>
    );
  return (
    <a href={link} target="_blank" rel="noopener noreferrer" className={className}>
      {children}
    </a>
  );
}

/**
 * What the school shows first, one at a time and turned by hand: nothing here moves by itself. The frame has its shape before
 * anything has come.
 */
export function Banners() {
  const { data } = useCall('GET /api/test/banner', {});
  const [at, setAt] = useState(0);
  if (data?.list.length === 0) return null;
  const list = data?.list ?? [];
  const shown = list[Math.min(at, list.length - 1)];
  const turn = (by: number) => setAt((at + by + list.length) % list.length);
  return (
    <section className={classes.banner} aria-label={t('学校推荐')}>
      <div className={classes.picture}>{shown && <Picture key={shown.id} promotion={shown} />}</div>
      <div className={classes.caption}>
        {shown && (
          <div className={classes.words} aria-live="polite" lang="zh-CN">
            <h2 className={classes.title}>
              {shown.link === '' ? (
                shown.title
              ) : (
                <Leads link={shown.link} className={classes.lead}>
                  {shown.title}
                </Leads>
              )}
            </h2>
            {shown.words !== '' && <p>{shown.words}</p>}
          </div>
        )}
        {list.length > 1 && (
          <div className={classes.turn}>
            <button type="button" className={icon.button} aria-label={t('上一个')} onClick={() => turn(-1)}>
              <IconChevronLeft size={18} stroke={1.7} aria-hidden />
            </button>
            <span>
              {Math.min(at, list.length - 1) + 1} / {list.length}
            </span>
            <button type="button" className={icon.button} aria-label={t('下一个')} onClick={() => turn(1)}>
              <IconChevronRight size={18} stroke={1.7} aria-hidden />
            </button>
          </div>
        )}
      </div>
    </section>
  );
}

/**
 * How wide the picture stands (VisitorHome.module.css), for who may choose between a smaller and the whole one. On a phone twice as many
 * points are enough for any of them: two thirds of its width with the three of the finest screens.
 */
const WIDTHS = '(max-width: 48em) 240px, (max-width: 62em) 100vw, 580px';

function Picture({ promotion: { pictureUrl, phonePictureUrl, alt } }: { promotion: Promotion }) {
  return (
    <picture>
      {phonePictureUrl !== '' && <source media="(max-width: 48em)" srcSet={phonePictureUrl} />}
      <img src={pictureUrl} alt={alt} lang="zh-CN" sizes={WIDTHS} fetchPriority="high" />
    </picture>
  );
}

/** The ads of the school above its courses: a line each. */
export function Ads() {
  const { data } = useCall('GET /app/common/ad', {});
  if (!data?.list.length) return null;
  return (
    <ul className={classes.ads} aria-label={t('学校推荐')} lang="zh-CN">
      {data.list.map((ad) => (
        <li key={ad.id} className={classes.ad}>
          {ad.pictureUrl !== '' && <img src={ad.pictureUrl} alt={ad.alt} />}
          <p>
            <b>{ad.title}</b> {ad.words}
          </p>
          {ad.link !== '' && (
            <Leads link={ad.link} className={classes.go}>
              <span lang={undefined}>{t('去看看')}</span>
              <IconArrowRight size={16} stroke={1.7} aria-hidden />
            </Leads>
          )}
        </li>
      ))}
    </ul>
  );
}

const TIP = 'ad-tip-closed';

/** The small tip of the school, until this browser has closed it. */
export function AdTip() {
  const { data } = useCall('GET /spread/ad_tip', {});
  const [closed, setClosed] = useState(() => recall(TIP));
  const whole = useRef<HTMLDivElement>(null);
  const tip = data?.tip;
  const shown = tip && closed !== String(tip.id) ? tip : null;
  // It stands at the end of the page, and so does the keyboard once it is closed.
  useSwapFocus(whole, shown !== null);
  return (
    <div ref={whole} tabIndex={-1}>
      {shown && <Tip tip={shown} onClose={() => setClosed(String(shown.id))} />}
    </div>
  );
}

function Tip({ tip, onClose }: { tip: Promotion; onClose: () => void }) {
  useRootMark('schoolTip');
  const close = () => {
    remember(TIP, String(tip.id));
    onClose();
  };
  return (
    <aside className={classes.tip} aria-label={t('学校的提示')}>
      <div lang="zh-CN">
        <b>{tip.title}</b>
        {tip.words !== '' && <p>{tip.words}</p>}
        {tip.link !== '' && (
          <Leads link={tip.link} className={classes.go}>
            {t('去看看')}
          </Leads>
        )}
      </div>
      <button type="button" className={icon.button} aria-label={t('关闭提示')} onClick={close}>
        <IconX size={18} stroke={1.7} aria-hidden />
      </button>
    </aside>
  );
}

import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './BuyBox.module.css';
import { formatYuan } from './yuan.ts';

type Sold = Pick<
  Data<'GET /api/common/course_details'>,
  'packId' | 'price' | 'originalPrice' | 'saleState' | 'saleFrom' | 'saleUntil' | 'seatsLeft'
>;

/** From so few seats on the page says how many there are left. */
const FEW = 20;

/** The price of a pack that is sold, and the way to buy it. A visitor signs in first and comes back to the order. */
export function BuyBox({ pack }: { pack: Sold }) {
  const { me } = useMe();
  if (pack.price === null) return null;
  const to = paths.orderConfirm({ packId: pack.packId });
  return (
    <div className={classes.box}>
      <p className={classes.prices}>
        <strong>{formatYuan(pack.price)}</strong>
        {pack.originalPrice !== null && (
          <s>
            <span className="unseen">{t('原价')}</span>
            {formatYuan(pack.originalPrice)}
          </s>
        )}
      </p>
      {pack.saleState === 'onSale' ? (
        <div className={classes.buy}>
          <Button component={Link} to={me === null ? paths.login(to) : to} size="md" fullWidth>
            {t('立即购买')}
          </Button>
          <Hints pack={pack} />
        </div>
      ) : (
        <p className={classes.closed}>{whyNot(pack)}</p>
      )}
    </div>
  );
}

function Hints({ pack }: { pack: Sold }) {
  const { seatsLeft, saleUntil } = pack;
  const few = seatsLeft !== null && seatsLeft <= FEW;
  if (!few && saleUntil === null) return null;
  return (
    <p className={classes.hints}>
      {few && <span>{t('还剩 {n} 个名额', { n: seatsLeft })}</span>}
      {saleUntil !== null && <span>{t('{time} 停售', { time: formatMoment(saleUntil - 1, serverNow()) })}</span>}
    </p>
  );
}

function whyNot({ saleState, saleFrom }: Sold): string {
  if (saleState === 'early' && saleFrom !== null)
    return t('{time} 开售', { time: formatMoment(saleFrom, serverNow()) });
  if (saleState === 'over') return t('已停售');
  if (saleState === 'soldOut') return t('名额已满');
  return t('暂不开放购买，请联系学校');
}

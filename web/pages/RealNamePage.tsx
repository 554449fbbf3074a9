import { useRef } from 'react';
import { TextBones } from '#ui/Bones.tsx';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { type Me, useMe } from '#web/lib/me.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { IdentityForm } from '#web/user/IdentityForm.tsx';
import page from './page.module.css';
import classes from './RealNamePage.module.css';

/** 实名信息: real name and identity number, given once, then shown masked (spec §5). */
export default function RealNamePage() {
  useTitle(t('实名信息'));
  const { me } = useMe();
  const call = useCall('GET /api/user/identity', {}, { staleTime: 0 });
  if (me === null) return null;
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t('实名信息')}</h1>
      <p className={page.lead}>
        {t('用于报名和考试核验身份，也可以在手机号停用后证明账号是您的。一个身份证号只能用于一个账号。')}
      </p>
      <section className={`${page.card} ${classes.card}`}>
        <CallState call={call} skeleton={<TextBones lines={4} />}>
          {({ identity }) => <Identity me={me} identity={identity} />}
        </CallState>
      </section>
    </div>
  );
}

function Identity({ me, identity }: { me: Me; identity: Data<'GET /api/user/identity'>['identity'] }) {
  const whole = useRef<HTMLDivElement>(null);
  useSwapFocus(whole, identity === null);
  return (
    <div ref={whole} tabIndex={-1}>
      {identity === null ? (
        <IdentityForm me={me} />
      ) : (
        <>
          <dl className={classes.facts}>
            <div>
              <dt>{t('真实姓名')}</dt>
              <dd>{identity.userName}</dd>
            </div>
            <div>
              <dt>{t('身份证号')}</dt>
              <dd>{identity.idNumber}</dd>
            </div>
            <div>
              <dt>{t('填写时间')}</dt>
              <dd>{formatDay(identity.createdAt, serverNow())}</dd>
            </div>
          </dl>
          <p className={classes.note}>{t('身份证号在本站不保存原文。填错了请联系学校清除后重新填写。')}</p>
        </>
      )}
    </div>
  );
}

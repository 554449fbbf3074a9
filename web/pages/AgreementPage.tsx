import { agreementDocuments, agreementNames } from '#contract/values/agreement.ts';
import { TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { RichText } from '#ui/RichText.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { useQuery } from '#web/lib/query.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import classes from './AgreementPage.module.css';
import page from './page.module.css';

/** The text of an agreement in force (spec §2 `/agreeContentHtml?id=1`), as the school wrote it. */
export default function AgreementPage() {
  const [search] = useQuery();
  const id = agreementDocuments.find((known) => String(known) === (search.get('id') ?? '1')) ?? 1;
  useTitle(t(agreementNames[id]));
  const call = useCall('GET /app/user/agreement_text', { id }, { staleTime: 0 });
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t(agreementNames[id])}</h1>
      <CallState
        call={call}
        skeleton={<TextBones lines={12} />}
        refusals={{ notFound: <EmptyState text={t('学校还没有发布这份协议。')} /> }}
      >
        {({ html, version, publishedAt }) => (
          <>
            <p className={page.lead}>
              {t('第 {version} 版，{day}起生效', { version, day: formatDay(publishedAt, serverNow()) })}
            </p>
            <div lang="zh-CN">
              <RichText html={html} className={classes.text} />
            </div>
          </>
        )}
      </CallState>
    </div>
  );
}

import { useState } from 'react';
import { toast } from '#ui/toast.ts';
import { WaitIcon } from '#ui/WaitIcon.tsx';
import { languageName, setLanguage, t, useLanguage } from '#web/lib/t.ts';

/** Switches between Chinese and English. It names the other language in that language. */
export function LanguageSwitch() {
  const language = useLanguage();
  const [waiting, setWaiting] = useState(false);
  const other = language === 'en' ? 'zh-CN' : 'en';
  return (
    <WaitIcon
      variant="subtle"
      color="gray"
      lang={other}
      waiting={waiting}
      onClick={async () => {
        setWaiting(true);
        try {
          await setLanguage(other);
        } catch {
          toast(t('网络连接不上，请检查网络后重试'), 'bad');
        } finally {
          setWaiting(false);
        }
      }}
    >
      <span style={{ fontSize: 14, fontWeight: 600 }}>
        {other === 'en' ? 'EN' : languageName(other).slice(0, 1)}
        <span className="unseen"> {languageName(other)}</span>
      </span>
    </WaitIcon>
  );
}

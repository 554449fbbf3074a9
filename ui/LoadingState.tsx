import type { ReactNode, Ref } from 'react';
import { t } from './words.ts';

/** Content is coming: a skeleton in its place and size, and a word for those who do not see it. */
export function LoadingState({ skeleton, ref }: { skeleton: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} aria-busy="true">
      <span className="unseen" role="status">
        {t('正在加载')}
      </span>
      <div aria-hidden>{skeleton}</div>
    </div>
  );
}

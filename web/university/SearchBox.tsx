import { IconSchool } from '@tabler/icons-react';
import { UNIVERSITY_NAME_LONGEST } from '#contract/values/university.ts';
import { SearchField } from '#web/lib/SearchField.tsx';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useSearchBox } from '#web/lib/useSearchBox.ts';
import { universitiesStay } from './useUniversities.ts';

/** Search for a university by its name (spec §2). */
export function SearchBox(props: Parameters<typeof useSearchBox>[0]) {
  const box = useSearchBox(props);
  const { data, isPlaceholderData } = useCall(
    'GET /app/university/suggest',
    { name: box.keyword },
    // An answer that comes too late belongs to another key and is never shown for this one.
    { enabled: box.suggesting, staleTime: universitiesStay, keepPrevious: true },
  );
  return (
    <SearchField
      box={box}
      found={data?.list ?? []}
      stale={isPlaceholderData}
      placeholder={t('请输入院校名称')}
      label={t('院校名称')}
      longest={UNIVERSITY_NAME_LONGEST}
      Icon={IconSchool}
      other={t('又名')}
    />
  );
}

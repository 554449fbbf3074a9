import { IconBook2 } from '@tabler/icons-react';
import { PACK_SEARCH_LONGEST } from '#contract/values/course.ts';
import { SearchField } from '#web/lib/SearchField.tsx';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useSearchBox } from '#web/lib/useSearchBox.ts';

/** Search for a course by its name, its category or who teaches it. */
export function PackSearch(props: Parameters<typeof useSearchBox>[0]) {
  const box = useSearchBox(props);
  const { data, isPlaceholderData } = useCall(
    'GET /api/common/course_suggest',
    { keyword: box.keyword },
    { enabled: box.suggesting, keepPrevious: true },
  );
  return (
    <SearchField
      box={box}
      found={data?.list ?? []}
      stale={isPlaceholderData}
      placeholder={t('搜索课程、分类或老师')}
      label={t('课程名称')}
      longest={PACK_SEARCH_LONGEST}
      Icon={IconBook2}
      other={t('相关')}
    />
  );
}

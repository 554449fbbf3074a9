import { Button, TextInput } from '@mantine/core';
import '#ui/form.css';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { QA_KEYWORD_LONGEST } from '#contract/values/qa.ts';
import { t } from '#web/lib/t.ts';
import { bounded } from '#web/lib/typed-text.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './QaSearch.module.css';

interface Props {
  keyword: string;
  tag: string;
  /** What is looked for from now on; '' takes it away. */
  onSearch: (looked: { keyword?: string; tag?: string }) => void;
}

/** The search of Q&A with what others looked for, and the tags. One instance for each keyword. */
export function QaSearch({ keyword, tag, onSearch }: Props) {
  const [typed, setTyped] = useState(keyword);
  const hot = useCall('GET /app/qa/hot_key', {}, { staleTime: 60_000 });
  const tags = useCall('GET /api/qa/search_tag', {}, { staleTime: 60_000 });
  return (
    <div className={classes.search}>
      <form
        className={classes.line}
        onSubmit={(event) => {
          event.preventDefault();
          onSearch({ keyword: typed.trim() });
        }}
      >
        <TextInput
          type="search"
          size="md"
          className={classes.field}
          aria-label={t('搜索答疑')}
          placeholder={t('搜索别人问过的问题')}
          value={typed}
          leftSection={<IconSearch size={18} aria-hidden />}
          {...bounded(QA_KEYWORD_LONGEST, (text) => {
            setTyped(text);
            if (text === '' && keyword !== '') onSearch({ keyword: '' });
          })}
        />
        <Button type="submit" size="md">
          {t('搜索')}
        </Button>
      </form>
      {hot.data !== undefined && hot.data.list.length > 0 && (
        <Words label={t('大家在搜')}>
          {hot.data.list.map(({ keyword: word }) => (
            <button
              key={word}
              type="button"
              aria-pressed={word === keyword}
              onClick={() => onSearch({ keyword: word })}
            >
              {word}
            </button>
          ))}
        </Words>
      )}
      {tags.data !== undefined && tags.data.list.length > 0 && (
        <Words label={t('标签')}>
          {tags.data.list.map(({ id, tag: word }) => (
            <button
              key={id}
              type="button"
              aria-pressed={word === tag}
              onClick={() => onSearch({ tag: word === tag ? '' : word })}
            >
              #{word}
            </button>
          ))}
        </Words>
      )}
    </div>
  );
}

function Words({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as part of a form
    <div className={classes.words} role="group" aria-label={label}>
      <span>{label}</span>
      {children}
    </div>
  );
}

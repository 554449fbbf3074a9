import { NativeSelect, TextInput } from '@mantine/core';
import '#ui/form.css';
import { useState } from 'react';
import { QA_MOST_TAGS, QA_TAG_LONGEST } from '#contract/values/qa.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import classes from './QueueTools.module.css';
import { TAUGHT_LISTS, type Taught } from './taught.ts';

/** Who looks after a question, and under which tags it is found. */
export function QueueTools({ question }: { question: Taught }) {
  return (
    <div className={classes.tools}>
      <Assign question={question} />
      <Tags key={question.tags.join(' ')} question={question} />
    </div>
  );
}

function Assign({ question: { id, teacherId, teacherName } }: { question: Taught }) {
  const teachers = useCall('GET /app/qa/teachers', {}, { staleTime: 60_000 });
  const assign = useSend('POST /app/qa_core/assign', { renews: [...TAUGHT_LISTS, 'GET /app/qa/teachers'] });
  const known = teachers.data?.list ?? [];
  const give = async (to: number) => {
    try {
      await assign.mutateAsync({ ids: [id], teacherId: to });
      toast(t('已转交'), 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  return (
    <NativeSelect
      label={t('由谁回答')}
      value={teacherId ?? 0}
      disabled={assign.isPending}
      error={teachers.error === null ? null : failureText(teachers.error)}
      onChange={(event) => void give(Number(event.currentTarget.value))}
    >
      <option value={0}>{t('所有老师')}</option>
      {teacherId !== null && known.every((teacher) => teacher.teacherId !== teacherId) && (
        <option value={teacherId}>{teacherName}</option>
      )}
      {known.map((teacher) => (
        <option key={teacher.teacherId} value={teacher.teacherId}>
          {t('{name}（{count} 个待回答）', { name: teacher.nickname, count: teacher.waiting })}
        </option>
      ))}
    </NativeSelect>
  );
}

function Tags({ question: { id, tags } }: { question: Taught }) {
  const [typed, setTyped] = useState(tags.join(' '));
  const save = useSend('POST /app/qa_core/set_tags', { renews: [...TAUGHT_LISTS, 'GET /api/qa/search_tag'] });
  const wanted = [...new Set(typed.split(/[\s,，、#]+/).filter((tag) => tag !== ''))];
  const fault =
    wanted.length > QA_MOST_TAGS
      ? t('最多 {count} 个标签', { count: QA_MOST_TAGS })
      : wanted.some((tag) => [...tag].length > QA_TAG_LONGEST)
        ? t('每个标签最多 {count} 个字', { count: QA_TAG_LONGEST })
        : null;
  const changed = wanted.join(' ') !== tags.join(' ');
  const put = async () => {
    try {
      await save.mutateAsync({ id, tags: wanted });
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  return (
    <form
      className={classes.tags}
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === null && changed) void put();
      }}
    >
      <TextInput
        label={t('标签')}
        description={t('用空格分开')}
        value={typed}
        error={fault}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <WaitButton type="submit" variant="default" waiting={save.isPending} disabled={fault !== null || !changed}>
        {t('保存标签')}
      </WaitButton>
    </form>
  );
}

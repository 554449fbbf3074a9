import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { RowBones } from '#ui/Bones.tsx';
import { confirm } from '#ui/confirm.ts';
import icon from '#ui/icon-button.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { isBlank } from '#web/lib/typed-text.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import classes from './CannedPhrases.module.css';

const LIST = 'GET /app/qa/phrases';

interface Props {
  /** What is typed now, to be kept as a phrase. */
  text: string;
  onChoose: (phrase: string) => void;
}

/** 常用语: a teacher's own phrases; one press puts one into the answer. */
export function CannedPhrases({ text, onChoose }: Props) {
  const call = useCall(LIST, {}, { staleTime: 0 });
  const save = useSend('POST /app/qa_core/save_phrase', { renews: [LIST] });
  const remove = useSend('POST /app/qa_core/del_phrase', { renews: [LIST] });
  const keep = async () => {
    try {
      await save.mutateAsync({ phrase: text.trim() });
      toast(t('已存为常用语'), 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  const forget = async (id: number) => {
    if (!(await confirm({ title: t('删除这条常用语？'), yes: t('删除'), danger: true }))) return;
    try {
      await remove.mutateAsync({ id });
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  return (
    <details className={classes.phrases}>
      <summary>{t('常用语')}</summary>
      <CallState
        call={call}
        skeleton={<RowBones count={2} height={44} />}
        empty={{ when: ({ list }) => list.length === 0, show: <p className={classes.none}>{t('还没有常用语。')}</p> }}
      >
        {({ list }) => (
          <ul>
            {list.map(({ id, phrase }) => (
              <li key={id}>
                <Button variant="subtle" className={classes.phrase} onClick={() => onChoose(phrase)}>
                  {phrase}
                </Button>
                <button
                  type="button"
                  className={icon.button}
                  aria-label={t('删除常用语：{phrase}', { phrase })}
                  onClick={() => void forget(id)}
                >
                  <IconTrash size={18} stroke={1.6} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        )}
      </CallState>
      <WaitButton
        variant="default"
        size="xs"
        waiting={save.isPending}
        disabled={isBlank(text)}
        onClick={() => void keep()}
      >
        {t('把上面的回答存为常用语')}
      </WaitButton>
    </details>
  );
}

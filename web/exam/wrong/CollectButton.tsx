import { Textarea } from '@mantine/core';
import '#ui/form.css';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { NOTE_LONGEST } from '#contract/values/exam.ts';
import { confirm } from '#ui/confirm.ts';
import { toast } from '#ui/toast.ts';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './CollectButton.module.css';

/** Whoever asked for the field goes on typing in it. */
const focusOn = (field: HTMLTextAreaElement | null) => field?.focus();

interface Props {
  questionId: number;
  collected: boolean;
  note: string;
  /** Milliseconds that a toast stays, where not as usual. */
  toastFor?: number;
}

/** Collects a question (收藏) and keeps a private note on it; pressed again it takes it out. */
export function CollectButton({ questionId, collected, note: stored, toastFor }: Props) {
  /** What the server said last, here; before that, and after a new start, what the caller read. */
  const [own, setOwn] = useState<{ collected: boolean; note: string } | null>(null);
  const saved = own ?? { collected, note: stored };
  const [note, setNote] = useState<string | null>(null);
  const collect = useSend('POST /app/exam/collect', {
    renews: [
      'GET /app/exam/collection',
      'GET /app/exam/collected',
      'GET /app/exam/error_index',
      'GET /api/exam/error',
      // What is collected is reviewed.
      'GET /app/exam/daily_review',
      'GET /app/exam/daily_reviews',
    ],
  });
  const send = async (wanted: 0 | 1, words?: string) => {
    try {
      const now = await collect.mutateAsync({ questionId, collect: wanted, note: words });
      setOwn({ collected: now.collected === 1, note: now.note });
      // The list may have said sooner that it is collected: a note that is being written by now stays.
      if (words !== undefined || wanted === 0) setNote(null);
      toast(
        now.collected === 0 ? t('已取消收藏') : words === undefined ? t('已收藏') : t('笔记已保存'),
        'good',
        toastFor,
      );
    } catch (error) {
      toast(failureText(error), 'bad', toastFor);
    }
  };
  const press = async () => {
    // A button that is disabled would lose the keyboard.
    if (collect.isPending) return;
    if (!saved.collected) return send(1);
    const sure =
      saved.note === '' ||
      (await confirm({
        title: t('取消收藏并删除笔记？'),
        text: t('这道题的笔记删除后不能恢复。'),
        yes: t('取消收藏'),
        no: t('保留'),
        danger: true,
      }));
    if (sure) await send(0);
  };
  return (
    <>
      <button
        type="button"
        aria-pressed={saved.collected}
        aria-disabled={collect.isPending || undefined}
        onClick={() => void press()}
      >
        {saved.collected ? <IconStarFilled size={18} aria-hidden /> : <IconStar size={18} aria-hidden />}
        {saved.collected ? t('已收藏') : t('收藏')}
      </button>
      {saved.collected && note === null && (
        <button type="button" onClick={() => setNote(saved.note)}>
          {saved.note === '' ? t('写笔记') : t('改笔记')}
        </button>
      )}
      {saved.note !== '' && note === null && <p className={classes.note}>{saved.note}</p>}
      {note !== null && (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!collect.isPending) void send(1, note.trim());
          }}
        >
          <Textarea
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={NOTE_LONGEST}
            autosize
            minRows={2}
            maxRows={8}
            ref={focusOn}
            aria-label={t('笔记，只有自己能看到')}
            placeholder={t('笔记，只有自己能看到')}
          />
          <div className={classes.buttons}>
            <button type="button" onClick={() => setNote(null)}>
              {t('取消')}
            </button>
            <button type="submit" className={classes.save} aria-disabled={collect.isPending || undefined}>
              {t('保存')}
            </button>
          </div>
        </form>
      )}
    </>
  );
}

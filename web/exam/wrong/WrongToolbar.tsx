import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { OWN_PAPER_MOST } from '#contract/values/exam.ts';
import { confirm } from '#ui/confirm.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { patterns } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { invalidate } from '#web/lib/useCall.ts';
import { ExportButton } from './ExportButton.tsx';
import { MOST_READ, readAll } from './read-all.ts';
import type { ShownQuestion } from './shown-question.ts';
import { usePractise } from './usePractise.ts';
import classes from './WrongToolbar.module.css';
import { askedFilter, type WrongFilter } from './wrong-filter.ts';

interface WrongToolbarProps {
  packId: number;
  filter: WrongFilter;
  questions: readonly ShownQuestion[];
  /** In all pages. */
  total: number;
  chosen: ReadonlySet<number>;
  setChosen: (chosen: ReadonlySet<number>) => void;
  remove: (questionIds: readonly number[]) => Promise<void>;
}

/** What to do with all of them, or with those that are chosen. */
export function WrongToolbar({ packId, filter, questions, total, chosen, setChosen, remove }: WrongToolbarProps) {
  const { practise, waiting } = usePractise();
  const client = useQueryClient();
  const { search } = useLocation();
  const now = serverNow();
  const { tab } = filter;
  const offered = questions.filter(({ onOffer }) => onOffer === 1).map(({ question }) => question.questionId);
  const allChosen = offered.length > 0 && offered.every((id) => chosen.has(id));
  const name = t('{list} {day}', {
    list: tab === 'collected' ? t('收藏练习') : t('错题练习'),
    day: formatDay(now, now),
  });
  const start = () =>
    practise(
      chosen.size > 0
        ? { packId, name, questionIds: [...chosen].slice(0, OWN_PAPER_MOST) }
        : { ...askedFilter(packId, filter, now), name, from: tab === 'collected' ? 'collected' : 'wrong' },
    );
  const removeChosen = async () => {
    const sure = await confirm({
      title: t('移除 {count} 题？', { count: chosen.size }),
      text: t('移除的题可以在“已移除”里找回；再次答错会自动回来。'),
      yes: t('移除'),
    });
    if (sure) await remove([...chosen]);
  };
  return (
    <div className={classes.toolbar}>
      <label className={classes.all}>
        <input
          type="checkbox"
          checked={allChosen}
          onChange={() =>
            setChosen(new Set(allChosen ? [...chosen].filter((id) => !offered.includes(id)) : [...chosen, ...offered]))
          }
        />
        {t('选本页')}
      </label>
      <WaitButton waiting={waiting} onClick={() => void start()}>
        {practiseWords(chosen.size, total)}
      </WaitButton>
      {tab === 'in' && chosen.size > 0 && (
        <Button variant="default" onClick={() => void removeChosen()}>
          {t('移除所选')}
        </Button>
      )}
      <span className={classes.apart} />
      <Button
        component={Link}
        to={{ pathname: patterns.wrongPrint, search }}
        variant="default"
        leftSection={<IconPrinter size={18} aria-hidden />}
      >
        {t('打印')}
      </Button>
      <ExportButton
        onExport={async (withAnswers) => {
          const { exportSheet } = await import('./export-sheet.ts');
          const all = await readAll(packId, filter, now);
          // All of it is sat since in another window, say: a sheet of nothing is none.
          if (all.questions.length === 0) toast(t('没有这样的题。'));
          else await exportSheet(all.questions, all.cases, withAnswers, now);
          if (all.total > MOST_READ) toast(t('只列出前 {count} 题', { count: MOST_READ }));
          void invalidate(client, 'GET /app/exam/error_index');
        }}
      />
    </div>
  );
}

/** What the button practises: a practice has so many questions at most, which it says where there are more. */
function practiseWords(chosen: number, total: number): string {
  if (chosen > OWN_PAPER_MOST) return t('练习所选的前 {count} 题', { count: OWN_PAPER_MOST });
  if (chosen > 0) return t('练习所选 {count} 题', { count: chosen });
  return total > OWN_PAPER_MOST
    ? t('练习其中 {count} 题', { count: OWN_PAPER_MOST })
    : t('练习全部 {count} 题', { count: total });
}

import { Menu } from '@mantine/core';
import '#ui/menu.css';
import { IconDots, IconPrinter } from '@tabler/icons-react';
import { Link } from 'react-router';
import icon from '#ui/icon-button.module.css';
import { paths } from '#web/lib/paths.ts';
import type { Input } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { usePractise } from '../wrong/usePractise.ts';

interface Props {
  chapter: { id: number; name: string; packId: number; examId: number | null };
}

const parts = [
  ['unanswered', msg('只练没做过的'), msg('未做')],
  ['flagged', msg('只练标记的'), msg('标记')],
  ['wrong', msg('只练错题'), msg('错题')],
] as const satisfies readonly (readonly [NonNullable<Input<'POST /app/exam/own_paper'>['from']>, string, string])[];

/** What else there is to do with a chapter: practise a part of it, print it. */
export function ChapterMore({ chapter: { id, name, packId, examId } }: Props) {
  const { practise, waiting } = usePractise();
  return (
    <Menu width={180}>
      <Menu.Target>
        <button
          type="button"
          className={icon.button}
          aria-label={t('“{name}”的更多练习', { name })}
          aria-busy={waiting || undefined}
        >
          <IconDots size={18} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {parts.map(([from, word, short]) => (
          <Menu.Item
            key={from}
            disabled={waiting}
            onClick={() => {
              const title = t('{name} · {part}', { name: [...name].slice(0, 40).join(''), part: t(short) });
              void practise({ packId, chapterId: id, from, name: title });
            }}
          >
            {t(word)}
          </Menu.Item>
        ))}
        {examId !== null && (
          <Menu.Item
            component={Link}
            to={paths.paperPrint({ exam: examId })}
            leftSection={<IconPrinter size={18} stroke={1.6} aria-hidden />}
          >
            {t('打印')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

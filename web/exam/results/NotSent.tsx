import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from '#web/lib/t.ts';
import type { UnsentAnswer } from '../session/answers-state.ts';
import { openUnsent, type UnsentStore } from '../session/unsent.ts';
import classes from './NotSent.module.css';

interface Props {
  studentId: number;
  recordId: number;
  /** Position from 0 of a question in the paper, or -1. */
  indexOf: (questionId: number) => number;
  /** Questions whose answer came after the end with the hand-in. */
  late: readonly number[];
}

/**
 * What did not count: answers that came after the end, and answers of this browser that never arrived before the paper
 * was handed in elsewhere. They are shown, so that no text exists only where nobody sees it (incidents: sakai #14744).
 */
export function NotSent({ studentId, recordId, indexOf, late }: Props) {
  const [found, setFound] = useState<{ store: UnsentStore; answers: UnsentAnswer[] } | null>(null);
  useEffect(() => {
    let gone = false;
    const store = openUnsent(studentId, recordId);
    void store
      .all()
      .then((answers) => {
        if (!gone && answers.length > 0) setFound({ store, answers });
      })
      .catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [studentId, recordId]);
  const number = (questionId: number) => t('第 {number} 题', { number: indexOf(questionId) + 1 });
  if (late.length === 0 && !found) return null;
  return (
    <section className={classes.box} role="alert">
      <IconAlertTriangle size={20} aria-hidden />
      <div>
        {late.length > 0 && (
          <p>
            {t('{count} 题的作答在考试结束后才到达服务器，已留存但没有计入成绩：', { count: late.length })}
            {late.map(number).join(t('、'))}
          </p>
        )}
        {found && (
          <>
            <p>
              {t('本机还有 {count} 题的作答，交卷前没有送达服务器，没有计入成绩：', { count: found.answers.length })}
            </p>
            <ul>
              {found.answers.map(({ questionId, answer }) => (
                <li key={questionId}>
                  <b>{number(questionId)}</b>
                  <span>{answer === '' ? t('清除作答') : answer}</span>
                </li>
              ))}
            </ul>
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                void found.store.clear();
                setFound(null);
              }}
            >
              {t('我知道了')}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { CardBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { RichText } from '#ui/RichText.tsx';
import { useMyPack } from '#web/exam/center/useMyPack.ts';
import { byLetters, lettersOf, typeNames } from '#web/exam/paper.ts';
import { MOST_READ, readAll } from '#web/exam/wrong/read-all.ts';
import type { ShownQuestion } from '#web/exam/wrong/WrongCard.tsx';
import { filterFrom } from '#web/exam/wrong/wrong-filter.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { patterns } from '#web/lib/paths.ts';
import type { CallError } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { NotJoined } from './NotJoined.tsx';
import classes from './WrongPrintPage.module.css';

/** The wrong-question list on paper: what its filter shows, with the answers at the end or without. */
export default function WrongPrintPage() {
  const [search] = useSearchParams();
  useTitle(t('打印错题'));
  const { mine, packs, pack } = useMyPack(search.get('packId'));
  return (
    <main className={classes.sheet}>
      <CallState call={mine} skeleton={<CardBones count={3} height={160} />}>
        {() =>
          pack === null ? (
            <NotJoined named={search.get('packId')} any={packs.length > 0} />
          ) : (
            <Sheet packId={pack.packId} packName={pack.packageName} />
          )
        }
      </CallState>
    </main>
  );
}

function Sheet({ packId, packName }: { packId: number; packName: string }) {
  const [search] = useSearchParams();
  const filter = filterFrom(search);
  const [answers, setAnswers] = useState(true);
  const [now] = useState(serverNow);
  const all = useQuery<Awaited<ReturnType<typeof readAll>>, CallError>({
    queryKey: ['print', packId, search.toString()],
    queryFn: () => readAll(packId, filter, now),
    staleTime: 0,
    gcTime: 0,
  });
  const title = filter.tab === 'collected' ? t('收藏的题') : t('错题本');
  return (
    <>
      <div className={classes.tools}>
        <Button
          component={Link}
          to={{ pathname: patterns.wrongQuestions, search: search.toString() }}
          variant="default"
        >
          {t('返回')}
        </Button>
        <label className={classes.choice}>
          <input type="checkbox" checked={answers} onChange={(event) => setAnswers(event.currentTarget.checked)} />
          {t('在末尾附答案与解析')}
        </label>
        <Button onClick={() => window.print()} disabled={!all.data}>
          {t('打印')}
        </Button>
      </div>
      <CallState
        call={all}
        skeleton={<CardBones count={3} height={160} />}
        empty={{ when: ({ questions }) => questions.length === 0, show: <EmptyState text={t('没有这样的题。')} /> }}
      >
        {({ questions, cases, total }) => (
          <article className={classes.paper}>
            <h1>{title}</h1>
            <p className={classes.about}>
              <span>{packName}</span>
              <span>{t('{count} 题', { count: questions.length })}</span>
              {total > MOST_READ && <span>{t('只列出前 {count} 题', { count: MOST_READ })}</span>}
              <span>{formatDay(now, now)}</span>
            </p>
            <ol className={classes.questions}>
              {questions.map((shown, at) => (
                <PrintedQuestion
                  key={shown.question.questionId}
                  shown={shown}
                  // Case material stands once, before the first of the questions that belong to it.
                  material={
                    questions[at - 1]?.question.parentCaseStudyId === shown.question.parentCaseStudyId
                      ? undefined
                      : cases.find(({ id }) => id === shown.question.parentCaseStudyId)?.text
                  }
                />
              ))}
            </ol>
            {answers && <Answers questions={questions} />}
          </article>
        )}
      </CallState>
    </>
  );
}

function PrintedQuestion({
  shown: { question, note },
  material,
}: {
  shown: ShownQuestion;
  material: string | undefined;
}) {
  return (
    <li className={classes.question}>
      {material !== undefined && <RichText html={material} className={classes.material} zoom={false} />}
      <p className={classes.type}>{t(typeNames[question.questionTypesId] ?? '')}</p>
      <RichText html={question.topic} zoom={false} />
      {byLetters(question.questionTypesId) ? (
        <ul className={classes.options}>
          {lettersOf(question.options).map((letter) => (
            <li key={letter}>
              <b>{letter}.</b>
              <RichText html={question.options[letter] ?? ''} zoom={false} />
            </li>
          ))}
        </ul>
      ) : (
        <div className={classes.blank} />
      )}
      {note !== '' && <p className={classes.note}>{t('笔记：{note}', { note })}</p>}
    </li>
  );
}

function Answers({ questions }: { questions: readonly ShownQuestion[] }) {
  return (
    <section className={classes.answers}>
      <h2>{t('答案与解析')}</h2>
      <ol>
        {questions.map(({ question, withheld }) => (
          <li key={question.questionId}>
            {withheld ? (
              <p>{t('这道题正在考试中，交卷后才能查看答案')}</p>
            ) : (
              <>
                {byLetters(question.questionTypesId) ? (
                  <p className={classes.key}>{question.rightAnswer}</p>
                ) : (
                  <RichText html={question.rightAnswer} zoom={false} />
                )}
                {question.answerAnalysis !== '' && (
                  <RichText html={question.answerAnalysis} className={classes.analysis} zoom={false} />
                )}
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

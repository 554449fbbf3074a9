import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { qaType } from '#contract/values/qa.ts';
import { Pills } from '#ui/Pills.tsx';
import { t } from '#web/lib/t.ts';
import { firstPageAgain, useMore } from '#web/lib/useMore.ts';
import { AskBox } from './AskBox.tsx';
import classes from './CourseQuestions.module.css';
import { QuestionList } from './QuestionList.tsx';

interface Props {
  packId: number;
  lessonId: number;
  /** The course of the pack in which that lesson stands. */
  courseId: number;
  /** The second of the lesson at this moment; undefined: nothing plays. */
  position?: (() => number) | undefined;
}

const PAGE = 10;

/** 答疑 of a lesson and of its pack: the input, 我的提问 and 大家的提问 (spec §2 Q&A screens). */
export default function CourseQuestions({ packId, lessonId, courseId, position }: Props) {
  /** 1 本节答疑, 2 本课程答疑: of the own questions alone (spec §2, §4); everybody's are those of the course (spec §7 courseId). */
  const [range, setRange] = useState<1 | 2>(1);
  const of = range === 1 ? { firstVideoId: lessonId } : {};
  const own = { packId, ...of, timeSortType: 1, myState: 1, pageSize: PAGE };
  const mine = useMore('GET /app/feedback/list', own);
  const client = useQueryClient();
  // Left for another tab or another lesson, one's own begin with their first page again (spec §4).
  const left = JSON.stringify(own);
  useEffect(() => () => firstPageAgain(client, 'GET /app/feedback/list', JSON.parse(left)), [client, left]);
  const all = useMore('GET /app/feedback/list', {
    packId,
    courseId,
    feedbackType: qaType.teaching,
    timeSortType: 1,
    myState: 0,
    pageSize: PAGE,
  });
  return (
    <div className={classes.questions}>
      <AskBox subject={{ packId, firstVideoId: lessonId, position }} />
      <section aria-labelledby="my-questions">
        <div className={classes.head}>
          <h2 id="my-questions">{t('我的提问')}</h2>
          <Pills<1 | 2>
            label={t('哪里的提问')}
            value={range}
            choices={[
              [1, t('本节答疑')],
              [2, t('本课程答疑')],
            ]}
            onChoose={setRange}
          />
        </div>
        <QuestionList questions={mine} />
      </section>
      <section aria-labelledby="all-questions">
        <div className={classes.head}>
          <h2 id="all-questions">{t('大家的提问')}</h2>
        </div>
        <QuestionList questions={all} />
      </section>
    </div>
  );
}

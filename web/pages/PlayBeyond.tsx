import { IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { PackCard } from '#web/course/PackCard.tsx';
import shelf from '#web/course/PackShelf.module.css';
import { kindNames } from '#web/exam/paper.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './PlayBeyond.module.css';

/**
 * What there is beside a lesson, under its introduction: what can be practised and sat, and other courses. Both are offers: while
 * they come, and where they do not, nothing stands there.
 */
export function Beyond({ packId, lessonId, bought }: { packId: number; lessonId: number; bought: boolean }) {
  return (
    <>
      {bought && <ExamOptions packId={packId} lessonId={lessonId} />}
      <Recommended packId={packId} />
    </>
  );
}

/** 练习与考试: the practices of the lesson's chapter, and the papers of the pack by kind. */
function ExamOptions({ packId, lessonId }: { packId: number; lessonId: number }) {
  const { data } = useCall('GET /app/course/exam_options', { packId, firstVideoId: lessonId });
  if (!data || data.practices.length + data.papers.length === 0) return null;
  const options = [
    ...data.practices.map(({ examId, kind, name, totalQuestion }) => ({
      ...{ key: kind, to: paths.exam(examId), word: t(kindNames[kind] ?? '') },
      more: t('{name} · {n} 题', { name, n: totalQuestion }),
    })),
    ...data.papers.map(({ kind, count }) => ({
      ...{ key: kind, to: paths.examCenter({ packId, kind }), word: t(kindNames[kind] ?? '') },
      more: t('{n} 套试卷', { n: count }),
    })),
  ];
  return (
    <section className={classes.part} aria-labelledby="play-exams">
      <h2 id="play-exams">{t('练习与考试')}</h2>
      <ul className={classes.options}>
        {options.map(({ key, to, word, more }) => (
          <li key={key}>
            <Link to={to} className={classes.option}>
              <span className={classes.words}>
                <b>{word}</b>
                <small>{more}</small>
              </span>
              <IconChevronRight size={18} stroke={1.6} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** 推荐课程: other packs of the school that the person has not joined. */
function Recommended({ packId }: { packId: number }) {
  const { data } = useCall('GET /app/course/recommend', { packId });
  if (!data || data.list.length === 0) return null;
  return (
    <section className={classes.part} aria-labelledby="play-courses">
      <h2 id="play-courses">{t('推荐课程')}</h2>
      <ul className={shelf.shelf}>
        {data.list.map((pack) => (
          <li key={pack.packId}>
            <PackCard pack={pack} mine={false} heading="h3" />
          </li>
        ))}
      </ul>
    </section>
  );
}

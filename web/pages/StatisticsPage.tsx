import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { lostPerMinute } from '#rules/exam/answer-time.ts';
import { daysInRow, lastWeeks } from '#rules/exam/study-days.ts';
import { CardBones, TextBones } from '#ui/Bones.tsx';
import { DayCalendar } from '#ui/DayCalendar.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { TrendLine } from '#ui/TrendLine.tsx';
import { typeNames } from '#web/exam/paper.ts';
import { ShareBars } from '#web/exam/results/ShareBars.tsx';
import { difficultyName, sayPace } from '#web/exam/results/say-pace.ts';
import { formatScore } from '#web/exam/score.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { dayInChina, formatCount, formatDay, formatRate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { currentLanguage, sentences, t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { ExamCenterFrame } from './ExamCenterFrame.tsx';
import classes from './StatisticsPage.module.css';

type Statistics = Data<'GET /api/exam/statistics'>;
type Figures = Pick<Statistics, 'done' | 'right' | 'seconds' | 'total' | 'lost'>;

/** Weeks of the calendar: all that the call tells of. */
const WEEKS = 26;

/** 学习统计: the student's own figures of a pack. */
export default function StatisticsPage() {
  useTitle(t('学习统计'));
  return (
    <ExamCenterFrame kind="statistics">{(packId) => <PackStatistics packId={packId} key={packId} />}</ExamCenterFrame>
  );
}

function PackStatistics({ packId }: { packId: number }) {
  const call = useCall('GET /api/exam/statistics', { packId }, { staleTime: 0 });
  return (
    <CallState
      call={call}
      skeleton={
        <div className={classes.parts}>
          <TextBones lines={3} />
          <CardBones count={2} height={220} />
        </div>
      }
      empty={{
        when: ({ done, days, withheld }) => done === 0 && days.length === 0 && !withheld,
        show: (
          <EmptyState
            text={t('这门课程还没有做过题。交卷，或在练习里看过答案的题，会统计在这里。')}
            action={
              <Button component={Link} to={paths.chapterExam({ packId, type: 1 })}>
                {t('去做章节练习')}
              </Button>
            }
          />
        ),
      }}
    >
      {(data) => <Shown data={data} />}
    </CallState>
  );
}

function Shown({ data }: { data: Statistics }) {
  const { packId } = data;
  return (
    <div className={classes.parts}>
      {data.withheld && (
        <p className={classes.withheld} role="status">
          {t('您有正在进行的考试，含有考试题目的章节暂不统计在内，交卷后恢复。')}
        </p>
      )}
      <Totals figures={data} />
      <div className={classes.charts}>
        <Calendar days={data.days} />
        <Trend records={data.records} />
      </div>
      <div className={classes.bars}>
        <ShareBars
          title={t('各章得分率')}
          shares={data.byChapter.map((chapter) => ({
            key: chapter.chapterId,
            name: chapter.name,
            ...shareOf(chapter),
            to: paths.wrongQuestions({ packId, chapter: chapter.chapterId }),
          }))}
        />
        <div className={classes.side}>
          <ShareBars
            title={t('各题型得分率')}
            shares={data.byType.map((type) => ({
              key: type.questionTypesId,
              name: t(typeNames[type.questionTypesId] ?? ''),
              ...shareOf(type),
              to: paths.wrongQuestions({ packId, type: type.questionTypesId }),
            }))}
          />
          {data.byDifficulty.some(({ difficulty }) => difficulty > 0) && (
            <ShareBars
              title={t('各难度得分率')}
              shares={data.byDifficulty.map((level) => ({
                key: level.difficulty,
                name: difficultyName(level.difficulty),
                ...shareOf(level),
              }))}
            />
          )}
        </div>
      </div>
    </div>
  );
}

function shareOf({ done, right, seconds, total, lost }: Figures) {
  const pace = sayPace(lost, seconds);
  const said = [
    t('答对 {right} / {count} 题', { right, count: done }),
    ...(seconds > 0 ? [t('用时 {time}', { time: sayTime(seconds) })] : []),
    ...(pace === undefined ? [] : [pace]),
  ];
  return { earned: total - lost, total, pending: 0, average: null, note: said.join(' · ') };
}

/** Time in its largest unit: seconds say nothing of weeks. */
function sayTime(seconds: number): string {
  if (seconds < 60) return t('{count} 秒', { count: seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t('{count} 分钟', { count: minutes });
  const hours = Math.round(minutes / 6) / 10;
  return t('{count} 小时', { count: hours });
}

function Totals({ figures: { done, right, seconds, lost } }: { figures: Figures }) {
  const pace = lostPerMinute(lost, seconds);
  const facts: [string, string, string?][] = [
    [t('已答'), formatCount(done), t('题次')],
    [t('正确率'), done === 0 ? '—' : formatRate(right / done), t('答对 {count}', { count: formatCount(right) })],
    [t('答题用时'), seconds === 0 ? '—' : sayTime(seconds)],
    [t('每分钟失分'), pace === null ? '—' : formatScore(pace), t('共失 {lost} 分', { lost: formatScore(lost) })],
  ];
  return (
    <dl className={classes.totals}>
      {facts.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {more !== undefined && <small> {more}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Calendar({ days }: { days: Statistics['days'] }) {
  const now = serverNow();
  const today = dayInChina(now);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const weeks = lastWeeks(today, WEEKS);
  const dayOf = (date: string) => Date.parse(`${date}T00:00:00+08:00`);
  const month = (date: string) =>
    new Intl.DateTimeFormat(currentLanguage(), { timeZone: 'Asia/Shanghai', month: 'short' }).format(dayOf(date));
  const row = daysInRow(
    days.map(({ date }) => date),
    today,
  );
  return (
    <section className={classes.box}>
      <h2>{t('学习日历')}</h2>
      <p className={classes.lead}>
        {sentences(
          t('近 26 周学习了 {count} 天。', { count: days.length }),
          row > 1 && t('已连续学习 {count} 天。', { count: row }),
        )}
      </p>
      <DayCalendar
        title={t('近 26 周每天答的题')}
        dayName={t('日期')}
        valueName={t('答题数')}
        weeks={weeks.map((week) =>
          week.map((date) => {
            const day = byDate.get(date);
            const said = t('{count} 题', { count: day?.answered ?? 0 });
            return {
              date,
              name: formatDay(dayOf(date), now),
              said: day && day.seconds > 0 ? `${said} · ${sayTime(day.seconds)}` : said,
              value: day?.answered ?? 0,
            };
          }),
        )}
        months={weeks.map((week, at) => {
          const first = week.find((date) => date.endsWith('-01'));
          return first !== undefined && at < WEEKS - 1 ? month(first) : '';
        })}
        less={t('少')}
        more={t('多')}
        nothing={t('这些天还没有答过题')}
      />
    </section>
  );
}

function Trend({ records }: { records: Statistics['records'] }) {
  // One point is no trend.
  if (records.length < 2) return null;
  const now = serverNow();
  return (
    <section className={classes.box}>
      <h2>{t('正确率的变化')}</h2>
      <p className={classes.lead}>{t('最近 {count} 次交卷，按已判分的题计算。', { count: records.length })}</p>
      <TrendLine
        title={t('最近每次交卷的正确率')}
        itemName={t('试卷')}
        whenName={t('日期')}
        valueName={t('正确率')}
        strongName={t('考试')}
        otherName={t('练习')}
        points={records.map(({ recordId, examName, kind, submittedAt, right, graded }) => ({
          key: recordId,
          name: examName,
          when: formatDay(submittedAt, now),
          value: right / graded,
          strong: kind === 'mock' || kind === 'past' || kind === 'timed',
        }))}
        say={formatRate}
      />
    </section>
  );
}

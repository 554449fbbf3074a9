import { Button, NativeSelect } from '@mantine/core';
import '#ui/form.css';
import { Link } from 'react-router';
import { languageOf } from '#rules/rich-text/language.ts';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import rows from '#ui/rows.module.css';
import { kindNames } from '#web/exam/paper.ts';
import { sayTimeLeft } from '#web/exam/say-time-left.ts';
import { formatScore } from '#web/exam/score.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { onPage, type QueryChange, useQuery } from '#web/lib/query.ts';
import type { Data } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import classes from './MyExamsPage.module.css';
import page from './page.module.css';

type Line = Data<'GET /api/user/exam_list'>['list'][number];
const PAGE = 20;

/** 我的考试: own records, newest first. State, pack and page are in the address. */
export default function MyExamsPage() {
  const [search, setQuery] = useQuery();
  const asked = search.get('state');
  const state = asked === 'open' || asked === 'closed' ? asked : undefined;
  const packId = idFrom(search.get('packId')) ?? undefined;
  const pageNum = idFrom(search.get('page')) ?? 1;
  useTitle(t('我的考试'));
  const records = useCall(
    'GET /api/user/exam_list',
    { state, packId, pageNum, pageSize: PAGE },
    { staleTime: 0, keepPrevious: true },
  );
  const change = (changes: QueryChange) => setQuery({ page: null, ...changes });
  return (
    <div className={page.page}>
      <h1 className={page.title}>{t('我的考试')}</h1>
      <div className={classes.filters}>
        <Pills
          label={t('筛选')}
          value={state}
          choices={[
            [undefined, t('全部')],
            ['open', t('进行中')],
            ['closed', t('已交卷')],
          ]}
          onChoose={(value) => change({ state: value ?? null })}
        />
        <PackChoice packId={packId} onChange={(next) => change({ packId: next })} />
      </div>
      <CallState
        call={records}
        skeleton={<RowBones count={6} height={76} />}
        empty={{
          when: ({ list }) => list.length === 0,
          show: (
            <EmptyState
              text={state === 'open' ? t('没有进行中的考试或练习。') : t('还没有做过考试或练习。')}
              action={
                packId === undefined ? (
                  <Button component={Link} to={paths.examCenter()}>
                    {t('去考题中心')}
                  </Button>
                ) : (
                  <Button variant="default" onClick={() => change({ packId: null })}>
                    {t('全部课程')}
                  </Button>
                )
              }
            />
          ),
        }}
      >
        {(shown) => (
          <>
            <ul className={`${rows.rows} ${classes.list}`}>
              {shown.list.map((line) => (
                <Row key={line.recordId} line={line} />
              ))}
            </ul>
            <Pager pageNum={shown.pageNum} pages={shown.pages} onPage={(next) => setQuery(onPage(next))} />
          </>
        )}
      </CallState>
    </div>
  );
}

/** Which pack's records are shown. One that the address names and the person has not joined is still named and can be left. */
function PackChoice({ packId, onChange }: { packId: number | undefined; onChange: (packId: string | null) => void }) {
  const { data } = useCall('GET /api/user/course_list', {});
  const packs = data?.list ?? [];
  if (packId === undefined && packs.length < 2) return null;
  return (
    <NativeSelect
      aria-label={tIn('one', '课程')}
      className={classes.pack}
      value={packId ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    >
      <option value="">{t('全部课程')}</option>
      {packs.map((pack) => (
        <option key={pack.packId} value={pack.packId}>
          {pack.packageName}
        </option>
      ))}
      {data !== undefined && packId !== undefined && packs.every((pack) => pack.packId !== packId) && (
        <option value={packId}>{t('其他课程')}</option>
      )}
    </NativeSelect>
  );
}

function Row({ line }: { line: Line }) {
  const now = serverNow();
  const open = line.submittedAt === null;
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <h2 lang={languageOf(line.examName)}>{line.examName}</h2>
        <p className={rows.facts}>
          <span>{t(kindNames[line.kind] ?? '')}</span>
          <span lang={languageOf(line.packName)}>{line.packName}</span>
          <span>{formatMoment(line.startedAt, now)}</span>
          <span>{t('已答 {done} / {total} 题', { done: line.doneCount, total: line.totalQuestion })}</span>
          {line.withheld && <span>{t('有题目正在考试中，交卷后再显示成绩')}</span>}
          {line.accommodation > 0 && <span>{t('考试时间已延长 {minutes} 分钟', { minutes: line.accommodation })}</span>}
          {line.extraTime > 0 && <span>{t('已补时 {minutes} 分钟', { minutes: line.extraTime })}</span>}
        </p>
      </div>
      <StateOrScore line={line} now={now} />
      <div className={classes.doing}>
        {open ? (
          <Button component={Link} to={paths.exam(line.examId, { record: line.recordId })}>
            {t('继续作答')}
          </Button>
        ) : (
          <>
            <Button component={Link} to={paths.examReview(line.recordId)} variant="default">
              {t('查看解析')}
            </Button>
            <Button component={Link} to={paths.examResult(line.recordId)} variant="default">
              {t('查看结果')}
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

/** How far an open record is, or the score of a closed one. */
function StateOrScore({ line, now }: { line: Line; now: number }) {
  if (line.submittedAt === null) {
    return (
      <p className={classes.state} data-of="open">
        {sayTimeLeft(line.endsAt, now)}
      </p>
    );
  }
  if (line.closed === 'unanswered') return <p className={classes.state}>{t('未作答')}</p>;
  if (line.withheld) return <p className={classes.state}>{t('成绩暂不显示')}</p>;
  return (
    <p className={classes.state}>
      <b>{formatScore(line.score ?? 0)}</b> / {formatScore(line.totalScore)}
      {line.pendingCount > 0 && <span>{t('待评分 {count}', { count: line.pendingCount })}</span>}
    </p>
  );
}

import { Button, NativeSelect } from '@mantine/core';
import '#ui/form.css';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { feedbackStates } from '#contract/values/feedback.ts';
import { RowBones, TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { ReportAnswerForm } from '#web/feedback/ReportAnswerForm.tsx';
import { ReportList } from '#web/feedback/ReportList.tsx';
import { ReportAnswers, ReportWords } from '#web/feedback/ReportWords.tsx';
import { reportTypes, stateWords } from '#web/feedback/report-words.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom, patterns } from '#web/lib/paths.ts';
import { addressWith, onPlace, placeIn, type QueryChange, useQuery } from '#web/lib/query.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useLastPage } from '#web/lib/useLastPage.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import page from './page.module.css';
import { ReportedQuestion } from './ReportedQuestion.tsx';
import classes from './TeachFeedbackPage.module.css';

const PAGE = 20;

/** 试题反馈 for teachers: what students reported, or one report (`id`). Filters, page and report are in the address. */
export default function TeachFeedbackPage() {
  useTitle(tIn('teach', '试题反馈'));
  const [search] = useSearchParams();
  const id = idFrom(search.get('id'));
  return id === null ? <Reports /> : <OneReport id={id} key={id} />;
}

const address = (search: URLSearchParams, change: QueryChange) => addressWith(patterns.teachFeedback, search, change);

/** What the reports are narrowed to: of an open one too, so that the next one is of the same. */
const narrowingOf = (search: URLSearchParams) => ({
  packId: idFrom(search.get('packId')) ?? undefined,
  feedbackType: reportTypes.find(([type]) => String(type) === search.get('type'))?.[0],
  questionId: idFrom(search.get('questionId')) ?? undefined,
});

function Reports() {
  const [search, setQuery] = useQuery();
  const asked = search.get('state');
  const state = feedbackStates.find((known) => String(known) === asked);
  const { packId, feedbackType, questionId } = narrowingOf(search);
  const pageNum = idFrom(search.get('page')) ?? 1;
  const call = useCall(
    'GET /app/feedback/reports',
    {
      state,
      packId,
      feedbackType,
      questionId,
      pageNum,
      pageSize: PAGE,
      after: placeIn(search),
    },
    { staleTime: 0, keepPrevious: true },
  );
  const leading = useLastPage(call.data, (last) => onPlace(search, last, null));
  const change = (changes: QueryChange) => setQuery({ page: null, after: null, ...changes });
  const packs = call.data?.packs ?? [];
  const narrowed = [state, packId, feedbackType, questionId].some((part) => part !== undefined);
  return (
    <>
      <h1 className={page.title}>{tIn('teach', '试题反馈')}</h1>
      <div className={classes.filters}>
        <Pills
          label={t('处理结果')}
          value={state}
          choices={[[undefined, t('全部')], ...feedbackStates.map((of) => [of, t(stateWords[of])] as const)]}
          onChoose={(value) => change({ state: value ?? null })}
        />
        <div className={classes.selects}>
          <NativeSelect
            aria-label={t('问题类型')}
            value={feedbackType ?? ''}
            onChange={(event) => change({ type: event.currentTarget.value })}
          >
            <option value="">{t('全部类型')}</option>
            {reportTypes.map(([type, word]) => (
              <option key={type} value={type}>
                {t(word)}
              </option>
            ))}
          </NativeSelect>
          {(packs.length > 1 || packId !== undefined) && (
            <NativeSelect
              aria-label={tIn('one', '课程')}
              value={packId ?? ''}
              onChange={(event) => change({ packId: event.currentTarget.value })}
            >
              <option value="">{t('全部课程')}</option>
              {packs.map((pack) => (
                <option key={pack.packId} value={pack.packId}>
                  {pack.packName}
                </option>
              ))}
              {packId !== undefined && packs.every((pack) => pack.packId !== packId) && (
                <option value={packId}>{t('其他课程')}</option>
              )}
            </NativeSelect>
          )}
        </div>
      </div>
      {questionId !== undefined && (
        <p className={classes.same}>
          {t('只显示同一道题的反馈。')}
          <Link to={address(search, { questionId: null, page: null, after: null })}>{t('显示全部')}</Link>
        </p>
      )}
      <CallState
        call={call}
        skeleton={<RowBones count={5} height={112} />}
        empty={{
          when: ({ list }) => list.length === 0,
          show: leading ? (
            <RowBones count={5} height={112} />
          ) : (
            <EmptyState
              text={narrowed ? t('没有这样的反馈。') : t('还没有学员反馈试题。')}
              action={
                narrowed && (
                  <Button component={Link} to={patterns.teachFeedback} variant="default">
                    {t('显示全部')}
                  </Button>
                )
              }
            />
          ),
        }}
      >
        {(shown) => (
          <>
            <ReportList list={shown.list} to={(id) => address(search, { id: String(id) })} />
            <Pager pageNum={shown.pageNum} pages={shown.pages} onPage={(to) => setQuery(onPlace(search, to, shown))} />
          </>
        )}
      </CallState>
    </>
  );
}

function OneReport({ id }: { id: number }) {
  const [search] = useSearchParams();
  const call = useCall('GET /app/feedback/report', { id, ...narrowingOf(search) }, { staleTime: 0 });
  const back = (
    <Link to={address(search, { id: null })} className={classes.back}>
      <IconArrowLeft size={18} aria-hidden />
      {t('返回列表')}
    </Link>
  );
  return (
    <>
      {back}
      <CallState
        call={call}
        skeleton={<TextBones lines={8} />}
        refusals={{ notFound: <EmptyState text={t('没有这条反馈。')} /> }}
      >
        {(report) => (
          <div className={classes.report}>
            <h1 className="unseen">{t('一条试题反馈')}</h1>
            <section className={page.card} aria-label={t('学员的反馈')}>
              <ReportWords report={report} />
            </section>
            {report.lessonId === null && (
              <section className={`${page.card} ${classes.question}`} aria-label={t('题目')}>
                <ReportedQuestion report={report} />
              </section>
            )}
            <section className={page.card} aria-label={t('处理')}>
              <ReportAnswerForm report={report} />
              <ReportAnswers answers={report.answers} />
              {report.nextId !== null && (
                <div className={classes.next}>
                  <Button
                    component={Link}
                    to={address(search, { id: String(report.nextId) })}
                    variant="default"
                    fullWidth
                  >
                    {t('看下一条待处理的反馈')}
                  </Button>
                </div>
              )}
            </section>
          </div>
        )}
      </CallState>
    </>
  );
}

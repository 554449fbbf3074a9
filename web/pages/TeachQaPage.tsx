import { Button, NativeSelect, TextInput } from '@mantine/core';
import '#ui/form.css';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { qaTypes } from '#contract/values/qa.ts';
import { RowBones, TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { WholeQuestion } from '#web/exam/question/WholeQuestion.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom, patterns } from '#web/lib/paths.ts';
import { addressWith, onPlace, placeIn, type QueryChange, useQuery } from '#web/lib/query.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useLastPage } from '#web/lib/useLastPage.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { AnswerForm } from '#web/qa/AnswerForm.tsx';
import { QueueList } from '#web/qa/QueueList.tsx';
import { QueueTools } from '#web/qa/QueueTools.tsx';
import { typeWords } from '#web/qa/qa-words.ts';
import { TaughtQuestion } from '#web/qa/TaughtQuestion.tsx';
import type { Taught } from '#web/qa/taught.ts';
import page from './page.module.css';
import classes from './TeachQaPage.module.css';

const PAGE = 20;
const shows = ['waiting', 'all', 'received', 'held', 'hidden'] as const;
type Show = (typeof shows)[number];

/** 答疑 for teachers: the queue by promised time, or one question (`id`). Filters, page and question are in the address. */
export default function TeachQaPage() {
  useTitle(t('答疑'));
  const [search] = useQuery();
  const id = idFrom(search.get('id'));
  return id === null ? <Queue /> : <OneQuestion id={id} key={id} />;
}

const address = (search: URLSearchParams, change: QueryChange) => addressWith(patterns.teachQa, search, change);

/** What the queue is narrowed to: of an open question too, so that the next one is of the same. */
function narrowingOf(search: URLSearchParams) {
  const keyword = (search.get('keyword') ?? '').slice(0, 200);
  return {
    feedbackType: qaTypes.find((known) => String(known) === search.get('type')),
    mine: search.get('mine') === '1' ? (1 as const) : undefined,
    ...(keyword === '' ? {} : { keyword }),
  };
}

function Queue() {
  const [search, setQuery] = useQuery();
  const show: Show = shows.find((known) => known === search.get('show')) ?? 'waiting';
  const narrowing = narrowingOf(search);
  const { feedbackType, mine, keyword = '' } = narrowing;
  const pageNum = idFrom(search.get('page')) ?? 1;
  const call = useCall(
    'GET /app/qa/queue',
    {
      show,
      ...narrowing,
      pageNum,
      pageSize: PAGE,
      after: placeIn(search),
    },
    { staleTime: 0, keepPrevious: true },
  );
  const leading = useLastPage(call.data, (last) => onPlace(search, last, null));
  const change = (changes: QueryChange) => setQuery({ page: null, after: null, ...changes });
  return (
    <>
      <h1 className={page.title}>{t('答疑')}</h1>
      <div className={classes.filters}>
        <Pills<Show>
          label={t('显示哪些提问')}
          value={show}
          choices={[
            ['waiting', t('等待回答')],
            ['all', t('全部')],
            ['received', t('已收到，待处理')],
            ['held', t('待放行')],
            ['hidden', t('已隐藏')],
          ]}
          onChoose={(value) => change({ show: value === 'waiting' ? null : value })}
        />
        <div className={classes.selects}>
          <form
            key={keyword}
            className={classes.search}
            onSubmit={(event) => {
              event.preventDefault();
              const typed = new FormData(event.currentTarget).get('keyword');
              change({ keyword: typeof typed === 'string' && typed.trim() !== '' ? typed.trim() : null });
            }}
          >
            <TextInput
              type="search"
              name="keyword"
              aria-label={t('搜索提问和回答')}
              placeholder={t('搜索提问和回答')}
              defaultValue={keyword}
              maxLength={200}
              leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
            />
          </form>
          <NativeSelect
            aria-label={t('问题类型')}
            value={feedbackType ?? ''}
            onChange={(event) => change({ type: event.currentTarget.value })}
          >
            <option value="">{t('全部类型')}</option>
            {qaTypes.map((type) => (
              <option key={type} value={type}>
                {t(typeWords[type])}
              </option>
            ))}
          </NativeSelect>
          <NativeSelect
            aria-label={t('由谁回答')}
            value={mine ?? ''}
            onChange={(event) => change({ mine: event.currentTarget.value })}
          >
            <option value="">{t('所有老师')}</option>
            <option value={1}>{t('分给我的')}</option>
          </NativeSelect>
        </div>
      </div>
      <CallState
        call={call}
        skeleton={<RowBones count={5} height={104} />}
        empty={{
          when: ({ list }) => list.length === 0,
          show: leading ? (
            <RowBones count={5} height={104} />
          ) : (
            <EmptyState
              text={show === 'waiting' && keyword === '' ? t('没有等待回答的提问。') : t('没有这样的提问。')}
            />
          ),
        }}
      >
        {(shown) => (
          <>
            <QueueList list={shown.list} to={(id) => address(search, { id })} />
            <Pager pageNum={shown.pageNum} pages={shown.pages} onPage={(to) => setQuery(onPlace(search, to, shown))} />
          </>
        )}
      </CallState>
    </>
  );
}

function OneQuestion({ id }: { id: number }) {
  const [search] = useQuery();
  const call = useCall('GET /app/qa/question', { id, ...narrowingOf(search) }, { staleTime: 0 });
  return (
    <>
      <Link to={address(search, { id: null })} className={classes.back}>
        <IconArrowLeft size={18} aria-hidden />
        {t('返回列表')}
      </Link>
      <CallState
        call={call}
        skeleton={<TextBones lines={8} />}
        refusals={{ notFound: <EmptyState text={t('没有这个提问，可能已被删除。')} /> }}
      >
        {(question) => (
          <div className={classes.one}>
            <h1 className="unseen">{t('一个提问')}</h1>
            <section className={page.card} aria-label={t('学员的提问')}>
              <TaughtQuestion question={question} />
              <ExamQuestion of={question} />
            </section>
            <div className={classes.side}>
              <section className={page.card} aria-label={t('回答')}>
                <AnswerForm question={question} />
                {question.nextId !== null && (
                  <div className={classes.next}>
                    <Button component={Link} to={address(search, { id: question.nextId })} variant="default" fullWidth>
                      {t('看下一个等待回答的提问')}
                    </Button>
                  </div>
                )}
              </section>
              <section className={page.card} aria-label={t('转交与标签')}>
                <QueueTools question={question} />
              </section>
            </div>
          </div>
        )}
      </CallState>
    </>
  );
}

/** The exam question that is asked about, as its student saw it. */
function ExamQuestion({ of }: { of: Taught }) {
  if (of.question === null) return null;
  return (
    <details className={classes.exam} open>
      <summary>{t('所问的试题')}</summary>
      {of.now !== null && <p className={classes.corrected}>{t('这道题后来改过。')}</p>}
      <WholeQuestion question={of.question} cases={of.cases} />
    </details>
  );
}

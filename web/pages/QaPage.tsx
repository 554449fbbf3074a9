import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { QA_KEYWORD_LONGEST, QA_TAG_LONGEST, qaType } from '#contract/values/qa.ts';
import { RowBones, TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom, paths, patterns } from '#web/lib/paths.ts';
import { addressWith, onPage, type QueryChange, useQuery } from '#web/lib/query.ts';
import { t } from '#web/lib/t.ts';
import { withinLength } from '#web/lib/typed-text.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useMore } from '#web/lib/useMore.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { QaComments } from '#web/qa/QaComments.tsx';
import { QaSearch } from '#web/qa/QaSearch.tsx';
import { type Question, QuestionItem } from '#web/qa/QuestionItem.tsx';
import { QuestionList } from '#web/qa/QuestionList.tsx';
import { SimilarTo } from '#web/qa/SimilarTo.tsx';
import page from './page.module.css';
import classes from './QaPage.module.css';

const PAGE = 10;
const shows = ['newest', 'answered', 'flagged'] as const;
type Show = (typeof shows)[number];

/** 答疑 of all packs that one may open: the newest, a search, or one question (`id`). All of it is in the address. */
export default function QaPage() {
  useTitle(t('答疑'));
  const [search] = useQuery();
  const id = idFrom(search.get('id'));
  return (
    <div className={`${page.page} ${page.narrow}`}>
      {id === null ? <Questions /> : <OneQuestion id={id} key={id} />}
    </div>
  );
}

function Questions() {
  const [search, change] = useQuery();
  const keyword = withinLength('', search.get('keyword') ?? '', QA_KEYWORD_LONGEST);
  const tag = withinLength('', search.get('tag') ?? '', QA_TAG_LONGEST);
  const show: Show = shows.find((known) => known === search.get('show')) ?? 'newest';
  const info = useCall('GET /app/qa/info_student', {}, { staleTime: 0 });
  return (
    <>
      <h1 className={page.title}>{t('答疑')}</h1>
      <p className={`${page.lead} ${classes.lead}`}>
        {info.data === undefined
          ? t('老师和同学问答过的问题。')
          : t('您提过 {asked} 个问题，{waiting} 个在等老师回答。', {
              asked: info.data.asked,
              waiting: info.data.waiting,
            })}{' '}
        <Link to={paths.qaRules()}>{t('提问答疑规范')}</Link>
      </p>
      <div className={classes.search}>
        <QaSearch key={keyword} keyword={keyword} tag={tag} onSearch={(looked) => change({ page: null, ...looked })} />
      </div>
      {keyword === '' && tag === '' ? (
        <>
          <Pills<Show>
            label={t('显示哪些问题')}
            value={show}
            choices={[
              ['newest', t('最新')],
              ['answered', t('已回答')],
              ['flagged', t('我同问的')],
            ]}
            onChoose={(value) => change({ show: value === 'newest' ? null : value })}
          />
          <div className={classes.list}>
            <Newest show={show} />
          </div>
        </>
      ) : (
        <Found key={`${keyword} ${tag}`} keyword={keyword} tag={tag} />
      )}
    </>
  );
}

const noneWords = () =>
  ({
    newest: t('还没有人提问。在课程学习页的“答疑”里可以提问。'),
    answered: t('还没有已回答的问题。'),
    flagged: t('您还没有同问过。看到一样的问题，点“同问”，老师回答后会通知您。'),
  }) as const satisfies Record<Show, string>;

function Newest({ show }: { show: Show }) {
  const questions = useMore('GET /app/qa/newest', {
    pageSize: PAGE,
    ...(show === 'answered' ? { answered: 1 } : show === 'flagged' ? { flag: 1 } : {}),
  });
  return <QuestionList questions={questions} none={noneWords()[show]} />;
}

function Found({ keyword, tag }: { keyword: string; tag: string }) {
  const [search, change] = useQuery();
  const pageNum = idFrom(search.get('page')) ?? 1;
  // Pages go on from where their reader began.
  const [beforeId, setBeforeId] = useState<number | undefined>(undefined);
  const found = useCall(
    'GET /app/qa/search',
    {
      pageNum,
      pageSize: PAGE,
      beforeId: pageNum === 1 ? undefined : beforeId,
      ...(keyword === '' ? {} : { keyword }),
      ...(tag === '' ? {} : { tag }),
    },
    { staleTime: 0, keepPrevious: true },
  );
  return (
    <CallState
      call={found}
      skeleton={<RowBones count={3} height={150} />}
      empty={{
        when: ({ list }) => list.length === 0,
        show: (
          <EmptyState
            text={t('没有找到这样的问题。换个说法再试试，或到课程里提问。')}
            action={
              <Button variant="default" onClick={() => change({ keyword: null, tag: null, page: null })}>
                {t('显示全部')}
              </Button>
            }
          />
        ),
      }}
    >
      {({ list, total, pages, pageNum: shown, beforeId: begun }) => (
        <>
          <p className={classes.count} role="status">
            {t('找到 {count} 个问题', { count: total })}
          </p>
          <ul className={classes.found}>
            {list.map((question) => (
              <li key={question.id}>
                <QuestionItem
                  question={question}
                  highlights={question.highlights}
                  answerHighlights={question.answerHighlights}
                />
              </li>
            ))}
          </ul>
          <Pager
            pageNum={shown}
            pages={pages}
            onPage={(next) => {
              setBeforeId(next === 1 ? undefined : (begun ?? undefined));
              change(onPage(next));
            }}
          />
        </>
      )}
    </CallState>
  );
}

const address = (search: URLSearchParams, change: QueryChange) => addressWith(patterns.qa, search, change);

/** What is said below a question. Where nobody else sees it there is nobody to talk to, but what was said before stays. */
function Talk({ question: { id, feedbackType, withheld, hidden, held, commentCount } }: { question: Question }) {
  const isShared = feedbackType === qaType.teaching && !hidden && !held;
  return !withheld && (isShared || commentCount > 0) && <QaComments id={id} mayWrite={isShared} />;
}

function OneQuestion({ id }: { id: number }) {
  const [search] = useQuery();
  const call = useCall('GET /app/qa/details', { id }, { staleTime: 0 });
  const refusals = {
    notFound: <EmptyState text={t('没有这个提问，可能已被删除。')} />,
    notEnrolled: <EmptyState text={t('请先报名该课程')} />,
    keyHidden: <EmptyState text={t('这道题正在您的考试里，交卷后可以查看。')} />,
  };
  // Deleted, hidden or withheld since it was read: nothing of it stays.
  const gone = call.error !== null && call.error.why in refusals;
  const whole = useRef<HTMLDivElement>(null);
  useKeptFocus(whole, 'article');
  return (
    <div ref={whole} tabIndex={-1}>
      <Link to={address(search, { id: null })} className={classes.back}>
        <IconArrowLeft size={18} aria-hidden />
        {t('返回列表')}
      </Link>
      <h1 className="unseen">{t('一个提问')}</h1>
      <CallState
        call={gone ? { ...call, data: undefined } : call}
        skeleton={<TextBones lines={8} />}
        refusals={refusals}
      >
        {(question) => (
          <>
            <QuestionItem question={question} alone />
            <SimilarTo id={id} />
            <Talk question={question} />
          </>
        )}
      </CallState>
    </div>
  );
}

import { Button, NativeSelect, TextInput } from '@mantine/core';
import '#ui/form.css';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { questionTypes } from '#contract/values/exam.ts';
import { RowBones, TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import rows from '#ui/rows.module.css';
import { typeNames } from '#web/exam/paper.ts';
import { ChoiceBars } from '#web/exam/quality/ChoiceBars.tsx';
import { CorrectForm, hasCorrectionDraft } from '#web/exam/quality/CorrectForm.tsx';
import { QualityFacts, QualityReasons } from '#web/exam/quality/QualityFacts.tsx';
import { QualityList } from '#web/exam/quality/QualityList.tsx';
import { QuestionHistory } from '#web/exam/quality/QuestionHistory.tsx';
import { RetireForm } from '#web/exam/quality/RetireForm.tsx';
import { WholeQuestion } from '#web/exam/question/WholeQuestion.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { useMe } from '#web/lib/me.ts';
import { idFrom, paths, patterns } from '#web/lib/paths.ts';
import { addressWith, type QueryChange, useQuery } from '#web/lib/query.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import page from './page.module.css';
import classes from './TeachQuestionsPage.module.css';

const PAGE = 20;
/** While records are being re-scored the page looks how far it is. */
const LOOK_AGAIN = 2000;

/** 试题质量 for teachers: how questions fare, or one of them (`id`). Filters, place and question are in the address. */
export default function TeachQuestionsPage() {
  useTitle(t('试题质量'));
  const [search] = useSearchParams();
  const id = idFrom(search.get('id'));
  return id === null ? <Questions /> : <OneQuestion id={id} key={id} />;
}

const narrowings = ['look', 'retired'] as const;
/** Of a pack without such questions. */
const emptyWords = {
  all: msg('这门课程还没有试题。'),
  look: msg('没有需要看看的题。'),
  retired: msg('没有停用的题。'),
};

const address = (search: URLSearchParams, change: QueryChange) => addressWith(patterns.teachQuestions, search, change);

function Questions() {
  const [search] = useSearchParams();
  const asked = idFrom(search.get('packId')) ?? undefined;
  const choices = useCall('GET /app/question/quality_choices', { packId: asked }, { staleTime: 0, keepPrevious: true });
  return (
    <>
      <h1 className={page.title}>{t('试题质量')}</h1>
      <CallState
        call={choices}
        skeleton={<RowBones count={5} height={112} />}
        empty={{ when: ({ packId }) => packId === null, show: <EmptyState text={t('还没有课程。')} /> }}
      >
        {(known) => (known.packId === null ? null : <PackQuestions packId={known.packId} choices={known} />)}
      </CallState>
    </>
  );
}

function PackQuestions({ packId, choices }: { packId: number; choices: Data<'GET /app/question/quality_choices'> }) {
  const [search, setQuery] = useQuery();
  const chapterId = idFrom(search.get('chapter')) ?? undefined;
  const type = questionTypes.find((known) => String(known) === search.get('type'));
  const text = search.get('text')?.slice(0, 60) ?? '';
  const only = narrowings.find((known) => known === search.get('only'));
  const after = /^\d{1,6}\.\d{1,15}$/.exec(search.get('after') ?? '')?.[0];
  const call = useCall(
    'GET /app/question/quality_list',
    {
      packId,
      chapterId,
      only,
      after,
      pageSize: PAGE,
      ...(type !== undefined && { questionTypesId: type }),
      ...(text !== '' && { text }),
    },
    { staleTime: 0, keepPrevious: true },
  );
  const change = (changes: QueryChange) => setQuery({ after: null, ...changes });
  const narrowed = chapterId !== undefined || type !== undefined || text !== '';
  return (
    <>
      <div className={classes.filters}>
        <Pills
          label={t('显示哪些题')}
          value={only}
          choices={[
            [undefined, t('全部')],
            ['look', t('需要看看的 {count}', { count: choices.looks >= 100 ? '99+' : choices.looks })],
            ['retired', t('停用的')],
          ]}
          onChoose={(value) => change({ only: value ?? null })}
        />
        <div className={classes.selects}>
          {choices.packs.length > 1 && (
            <NativeSelect
              aria-label={tIn('one', '课程')}
              value={packId}
              onChange={(event) => change({ packId: event.currentTarget.value, chapter: null })}
            >
              {choices.packs.map((pack) => (
                <option key={pack.packId} value={pack.packId}>
                  {pack.packName}
                </option>
              ))}
            </NativeSelect>
          )}
          <NativeSelect
            aria-label={t('章节')}
            value={chapterId ?? ''}
            onChange={(event) => change({ chapter: event.currentTarget.value })}
          >
            <option value="">{t('全部章节')}</option>
            {choices.chapters.map((chapter) => (
              <option key={chapter.chapterId} value={chapter.chapterId}>
                {'　'.repeat(Math.max(0, chapter.level - 1)) + chapter.name}
              </option>
            ))}
          </NativeSelect>
          <NativeSelect
            aria-label={t('题型')}
            value={type ?? ''}
            onChange={(event) => change({ type: event.currentTarget.value })}
          >
            <option value="">{t('全部题型')}</option>
            {questionTypes.map((known) => (
              <option key={known} value={known}>
                {t(typeNames[known] ?? '')}
              </option>
            ))}
          </NativeSelect>
          <SearchText key={text} text={text} onSearch={(typed) => change({ text: typed })} />
        </div>
      </div>
      <CallState
        call={call}
        skeleton={<RowBones count={5} height={112} />}
        empty={{
          when: ({ list, next }) => list.length === 0 && next === null,
          show: (
            <EmptyState
              text={narrowed ? t('没有这样的题。') : t(emptyWords[only ?? 'all'])}
              action={
                (narrowed || only !== undefined) && (
                  <Button
                    component={Link}
                    to={address(search, { chapter: null, type: null, text: null, only: null, after: null })}
                    variant="default"
                  >
                    {t('显示全部')}
                  </Button>
                )
              }
            />
          ),
        }}
        refusals={{ notFound: <EmptyState text={t('没有这一章。')} /> }}
      >
        {(shown) => (
          <>
            <QualityList list={shown.list} to={(id) => address(search, { id: String(id) })} />
            {(after !== undefined || shown.next !== null) && (
              <div className={classes.pager}>
                {after !== undefined && (
                  <Button component={Link} to={address(search, { after: null })} variant="default">
                    {t('回到第一页')}
                  </Button>
                )}
                {shown.next !== null && (
                  <Button component={Link} to={address(search, { after: shown.next })} variant="default">
                    {t('下一页')}
                  </Button>
                )}
              </div>
            )}
          </>
        )}
      </CallState>
    </>
  );
}

/** What is searched for goes into the address when it is sent, not with every letter. */
function SearchText({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  return (
    <form
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <TextInput
        type="search"
        aria-label={t('题干里的文字')}
        placeholder={t('搜索题干')}
        maxLength={60}
        value={typed}
        leftSection={<IconSearch size={16} aria-hidden />}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          if (event.currentTarget.value === '' && text !== '') onSearch('');
        }}
      />
    </form>
  );
}

function OneQuestion({ id }: { id: number }) {
  const [search] = useSearchParams();
  const owner = useMe().me?.studentId ?? 0;
  // What was begun and left is gone on with.
  const [correcting, setCorrecting] = useState(() => hasCorrectionDraft(owner, id));
  const [running, setRunning] = useState(false);
  const corrections = useRef<HTMLHeadingElement>(null);
  const call = useCall(
    'GET /app/question/quality',
    { questionId: id },
    { staleTime: 0, refetchInterval: running ? LOOK_AGAIN : false },
  );
  const waits = call.data?.history.some(({ done }) => !done) ?? false;
  if (waits !== running) setRunning(waits);
  return (
    <>
      <Link to={address(search, { id: null })} className={classes.back}>
        <IconArrowLeft size={18} aria-hidden />
        {t('返回列表')}
      </Link>
      <CallState
        call={call}
        skeleton={<TextBones lines={8} />}
        refusals={{ notFound: <EmptyState text={t('没有这道题。')} /> }}
      >
        {(detail) => (
          <div className={classes.one}>
            <h1 className="unseen">{t('一道题的质量')}</h1>
            <section className={page.card} aria-label={t('题目')}>
              <QuestionText detail={detail} />
            </section>
            <div className={classes.side}>
              <section className={page.card} aria-label={t('作答情况')}>
                <div className={classes.figures}>
                  <QualityReasons reasons={detail.reasons} reports={detail.reports} gradeMode={detail.gradeMode} />
                  <QualityFacts {...detail} />
                </div>
                <ChoiceBars question={detail} />
                {detail.reports > 0 && (
                  <p className={classes.reports}>
                    <Link to={paths.teachFeedback({ questionId: id })}>
                      {t('查看 {count} 条反馈', { count: detail.reports })}
                    </Link>
                  </p>
                )}
              </section>
              <section className={page.card} aria-label={t('更正')}>
                <h2 ref={corrections} tabIndex={-1} className={classes.head}>
                  {t('更正')}
                </h2>
                {correcting ? (
                  <CorrectForm
                    detail={detail}
                    onDone={() => {
                      setCorrecting(false);
                      // The button that was pressed is gone with the form.
                      corrections.current?.focus();
                    }}
                  />
                ) : (
                  <Button variant="default" fullWidth onClick={() => setCorrecting(true)}>
                    {t('更正这道题')}
                  </Button>
                )}
                <h2 className={classes.head}>{t('更正记录')}</h2>
                <QuestionHistory history={detail.history} />
              </section>
              <section className={page.card} aria-label={tIn('question', '停用')}>
                <RetireForm detail={detail} />
              </section>
            </div>
          </div>
        )}
      </CallState>
    </>
  );
}

function QuestionText({ detail }: { detail: Data<'GET /app/question/quality'> }) {
  const { question } = detail;
  const type = question.questionTypesId;
  return (
    <>
      <p className={rows.facts}>
        <span>{t(typeNames[type] ?? '')}</span>
        <span>{detail.packName}</span>
        <span>{detail.chapterName}</span>
        {detail.archived && <span>{t('已停用')}</span>}
      </p>
      <WholeQuestion question={question} cases={detail.cases} />
      {detail.papers.length > 0 && (
        <>
          <h2 className={classes.head}>{t('用到这道题的试卷和练习')}</h2>
          <ul className={classes.papers}>
            {detail.papers.map(({ examId, name, score }) => (
              <li key={examId}>
                <span>{name}</span>
                <span>{t('{score} 分', { score })}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

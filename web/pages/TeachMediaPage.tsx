import { Button, TextInput } from '@mantine/core';
import '#ui/form.css';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';
import { mediaFilters } from '#contract/values/media.ts';
import { clockText } from '#rules/play/clock-text.ts';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom } from '#web/lib/paths.ts';
import { sentences, t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { AttachDialog } from '#web/media/AttachDialog.tsx';
import { MediaList, type TaughtMedia } from '#web/media/MediaList.tsx';
import { PreviewDialog } from '#web/media/PreviewDialog.tsx';
import { UploadBox } from '#web/media/UploadBox.tsx';
import { PURPOSE } from '#web/media/upload-state.ts';
import { uploader } from '#web/media/uploader.ts';
import page from './page.module.css';
import classes from './TeachMediaPage.module.css';

const PAGE = 20;
/** While something is on its way the page looks how far it is; else it looks whether a colleague brought something (milliseconds). */
const SOON = 2000;
const SELDOM = 30_000;

/** 视频与音频 for teachers: uploads, what became of them, and the lessons that show them. Filter, search and page are in the address. */
export default function TeachMediaPage() {
  useTitle(t('视频与音频'));
  const [search, setSearch] = useSearchParams();
  const state = mediaFilters.find((known) => known === search.get('state'));
  const keyword = search.get('text')?.slice(0, 60) ?? '';
  const pageNum = idFrom(search.get('page')) ?? 1;
  const lesson = idFrom(search.get('lesson'));
  const at = idFrom(search.get('at')) ?? 0;
  const [busy, setBusy] = useState(true);
  const refetchInterval = busy ? SOON : SELDOM;
  const uploads = useCall('GET /app/upload/list', { uploadFor: PURPOSE }, { staleTime: 0, refetchInterval });
  const call = useCall(
    'GET /app/media/list',
    {
      pageNum,
      pageSize: PAGE,
      ...(state && { among: state }),
      ...(keyword !== '' && { keyword }),
      ...(lesson !== null && { firstVideoId: lesson }),
    },
    { staleTime: 0, keepPrevious: true, refetchInterval },
  );
  const left = uploads.data?.list ?? [];
  const moving =
    left.some(({ state: at, active }) => at === 'checking' || active) ||
    (call.data?.list.some(({ state: at, percent }) => at === 'waiting' || percent !== null) ?? false);
  useEffect(() => setBusy(moving), [moving]);
  // An upload leaves its list in the moment in which its media is noted: only a list that is asked for after that has it.
  const { refetch: renewUploads } = uploads;
  const { refetch: renewMedia } = call;
  const underWay = left.map(({ uploadId, state: at }) => `${uploadId} ${at}`).join();
  const wasUnderWay = useRef(underWay);
  useEffect(() => {
    if (wasUnderWay.current === underWay) return;
    wasUnderWay.current = underWay;
    void renewMedia();
  }, [underWay, renewMedia]);
  const renew = () => void renewUploads().then(() => renewMedia());
  useWhenSent(renew);
  const shown = call.isPlaceholderData ? undefined : call.data;
  const [previewed, setPreviewed] = useState<TaughtMedia | null>(null);
  const [attached, setAttached] = useState<TaughtMedia | null>(null);
  const change = (changes: Readonly<Record<string, string | null>>) =>
    setSearch((was) => {
      const query = new URLSearchParams(was);
      query.delete('page');
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === '') query.delete(name);
        else query.set(name, value);
      }
      return query;
    });
  const narrowed = state !== undefined || keyword !== '' || lesson !== null;
  return (
    <>
      <h1 className={page.title}>{t('视频与音频')}</h1>
      <div className={classes.upload}>
        <UploadBox left={left} onChange={renew} />
      </div>
      <div className={classes.filters}>
        <Pills
          label={t('显示哪些文件')}
          value={state}
          choices={[
            [undefined, t('全部')],
            ['ready', t('可播放')],
            ['waiting', t('等待转换')],
            ['failed', t('转换失败')],
            ['unused', t('未使用')],
          ]}
          onChoose={(value) => change({ state: value ?? null })}
        />
        <Search
          key={keyword}
          keyword={keyword}
          waiting={call.isFetching && call.isPlaceholderData}
          onSearch={(text) => change({ text })}
        />
      </div>
      {lesson !== null && shown !== undefined && (
        <OfLesson name={lessonName(shown.list, lesson)} at={at} onAll={() => change({ lesson: null, at: null })} />
      )}
      <CallState
        call={call}
        skeleton={<RowBones count={4} height={132} />}
        empty={{
          when: ({ total }) => total === 0,
          show: <EmptyState text={narrowed ? t('没有符合条件的文件') : t('还没有视频或音频，请先上传。')} />,
        }}
      >
        {({ list, pages }) => (
          <>
            <MediaList list={list} onPreview={setPreviewed} onAttach={setAttached} />
            <Pager
              pageNum={pageNum}
              pages={pages}
              onPage={(next) =>
                setSearch((was) => {
                  const query = new URLSearchParams(was);
                  if (next === 1) query.delete('page');
                  else query.set('page', String(next));
                  return query;
                })
              }
            />
          </>
        )}
      </CallState>
      {previewed && <PreviewDialog media={previewed} startAt={at} onClose={() => setPreviewed(null)} />}
      {attached && <AttachDialog media={attached} onClose={() => setAttached(null)} />}
    </>
  );
}

const lessonName = (list: readonly TaughtMedia[], lessonId: number) =>
  list.flatMap(({ lessons }) => lessons).find(({ firstVideoId }) => firstVideoId === lessonId)?.firstVideoName ?? '';

/** That only the media of one lesson are listed, where a student has found an error, and how it is mended. */
function OfLesson({ name, at, onAll }: { name: string; at: number; onAll: () => void }) {
  return (
    <div className={classes.lesson}>
      <p>
        {name === ''
          ? t('这个课时没有视频或音频。要加上：上传文件，再点它的“用于课时”。')
          : sentences(
              t('课时“{name}”的视频或音频。', { name }),
              at > 0 && t('预览从 {time} 开始。', { time: clockText(at) }),
              t('要替换：上传新的文件，再点它的“用于课时”。'),
            )}
      </p>
      <Button variant="default" onClick={onAll}>
        {t('显示全部')}
      </Button>
    </div>
  );
}

/** Tells when a file of this window has been sent: the server looks at it then. */
function useWhenSent(tell: () => void): void {
  const count = useSyncExternalStore(uploader.subscribe, () => uploader.items().length);
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current) tell();
    before.current = count;
  });
}

function Search({
  keyword,
  waiting,
  onSearch,
}: {
  keyword: string;
  waiting: boolean;
  onSearch: (text: string) => void;
}) {
  const [text, setText] = useState(keyword);
  return (
    <form
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <TextInput
        aria-label={t('按名称查找')}
        placeholder={t('按名称查找')}
        value={text}
        maxLength={60}
        leftSection={<IconSearch size={18} aria-hidden />}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <WaitButton type="submit" variant="default" waiting={waiting}>
        {t('查找')}
      </WaitButton>
    </form>
  );
}

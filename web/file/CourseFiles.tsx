import { Button, Modal } from '@mantine/core';
import '#ui/dialog.css';
import {
  IconArrowLeft,
  IconFile,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconFolder,
  IconPhoto,
  IconPresentation,
  type IconProps,
} from '@tabler/icons-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { FILE_PAGE_SIZE, fileGroup } from '#contract/values/file.ts';
import { RowBones } from '#ui/Bones.tsx';
import dialog from '#ui/dialog-actions.module.css';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { idFrom } from '#web/lib/paths.ts';
import { onPage, useQuery } from '#web/lib/query.ts';
import { recall, remember } from '#web/lib/remember.ts';
import { type Data, failureText } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import { useLastPage } from '#web/lib/useLastPage.ts';
import classes from './CourseFiles.module.css';
import { PdfPreview } from './PdfPreview.tsx';
import { saveFile } from './save-file.ts';

const ImageZoom = lazy(() => import('#ui/ImageZoom.tsx'));

const PAGE = 'GET /app/course_file/page';
type Page = Data<typeof PAGE>;
type Entry = Page['list'][number];
type CourseFile = Extract<Entry, { fileName: string }>;
type Folder = Exclude<Entry, CourseFile>;
const isFile = (entry: Entry): entry is CourseFile => 'fileName' in entry;

/** A kind of files by its name in the address; null: all of them. */
type Kind = keyof typeof fileGroup | null;
const kinds: readonly (readonly [Kind, () => string])[] = [
  [null, () => t('全部')],
  ['document', () => t('文档')],
  ['image', () => tIn('files', '图片')],
];

interface Props {
  packId: number;
  /** Leads through a folder with more than one page of files. */
  pager: (bounds: { pageNum: number; pages: number; onPage: (page: number) => void }) => ReactNode;
}

/**
 * 资料 of a course: its files by folder, all or of one kind, to be looked at and saved (spec §2 Course file panel). Folder, kind and page
 * stand in the address, so that the way back of the browser leads out of a folder and a reload ends where one was.
 */
export function CourseFiles({ packId, pager }: Props) {
  const [search, setQuery] = useQuery();
  const fileGroupId = idFrom(search.get('folder')) ?? 0;
  const [kind = null] = kinds.find(([known]) => known === search.get('kind')) ?? [];
  const [shownId, setShownId] = useState<number | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const call = useCall(
    PAGE,
    {
      ...{ packId, fileGroupId, pageSize: FILE_PAGE_SIZE, pageNum: idFrom(search.get('page')) ?? 1 },
      ...(kind === null ? {} : { fileGroup: fileGroup[kind] }),
    },
    { staleTime: 0, keepPrevious: true },
  );
  const leading = useLastPage(call.data);
  // Another folder, or another kind, begins at its first page.
  const lookInto = (id: number) => {
    setQuery({ folder: id === 0 ? null : id, page: null });
    list.current?.focus();
  };
  // As it is listed now: once it is downloaded, it is offered again in both places.
  const shown = call.data?.list.filter(isFile).find(({ id }) => id === shownId);
  // The way back of the browser led out of its folder: it does not open again by itself when one comes there once more.
  if (shownId !== null && shown === undefined && call.data !== undefined && !call.isPlaceholderData) setShownId(null);
  const { download, pending } = useDownload();
  return (
    <section className={classes.panel} aria-label={t('资料')}>
      <Tip />
      <div className={classes.kinds}>
        <Pills
          label={t('资料的种类')}
          value={kind}
          choices={kinds.map(([of, word]) => [of, word()] as const)}
          onChoose={(of) => setQuery({ kind: of, page: null })}
        />
      </div>
      {/* The keyboard comes here with a new folder or page. */}
      <div ref={list} tabIndex={-1} className={classes.list}>
        <CallState
          call={call}
          skeleton={
            <div className={classes.bones}>
              <RowBones count={5} height={60} />
            </div>
          }
          refusals={{
            notFound: (
              <EmptyState
                text={t('这个文件夹不在了，可能已被学校移除')}
                action={
                  <Button variant="default" onClick={() => lookInto(0)}>
                    {t('看全部资料')}
                  </Button>
                }
              />
            ),
          }}
        >
          {({ list: entries, pages, pageNum: now, above, total }) => (
            <>
              {above.length > 0 && <WayBack above={above} onFolder={lookInto} />}
              {total === 0 && !leading ? (
                <p className={classes.none}>{noneOf(kind)}</p>
              ) : (
                <ul>
                  {entries.map((entry) =>
                    isFile(entry) ? (
                      <FileRow
                        key={`file ${entry.id}`}
                        file={entry}
                        waiting={pending === entry.id}
                        onShow={() => setShownId(entry.id)}
                        onDownload={() => download(entry)}
                      />
                    ) : (
                      <FolderRow key={`folder ${entry.id}`} folder={entry} onOpen={() => lookInto(entry.id)} />
                    ),
                  )}
                </ul>
              )}
              {pages > 1 && (
                <div className={classes.pager}>
                  {pager({
                    ...{ pageNum: now, pages },
                    onPage: (next) => {
                      setQuery(onPage(next));
                      list.current?.focus();
                      list.current?.scrollIntoView({ block: 'start' });
                    },
                  })}
                </div>
              )}
            </>
          )}
        </CallState>
      </div>
      {shown && (
        <Preview
          file={shown}
          waiting={pending === shown.id}
          onDownload={() => download(shown)}
          onClose={() => setShownId(null)}
        />
      )}
    </section>
  );
}

const noneOf = (kind: Kind) =>
  kind === null ? t('这里还没有资料') : kind === 'image' ? t('这里没有图片') : t('这里没有文档');

/** Spec §2 Course file panel: download becomes re-download. */
const downWord = ({ downState }: CourseFile) => (downState === 1 ? t('重新下载') : tIn('files', '下载'));

/** Notes a download and begins it; what the person may no longer have is said instead. */
function useDownload() {
  const { mutate, isPending, variables } = useSend('POST /app/course_file/down_file', { renews: [PAGE] });
  const download = ({ id }: CourseFile) =>
    mutate(
      { fileId: id },
      {
        onSuccess: ({ filePath, fileName }) => saveFile(filePath, fileName),
        onError: (error) => toast(failureText(error), 'bad'),
      },
    );
  return { download, pending: isPending ? variables.fileId : null };
}

function WayBack({ above, onFolder }: { above: Page['above']; onFolder: (id: number) => void }) {
  const parent = above.at(-2);
  return (
    <div className={classes.way}>
      <button type="button" className={classes.back} onClick={() => onFolder(parent?.id ?? 0)}>
        <IconArrowLeft size={18} stroke={1.6} aria-hidden />
        {parent ? t('返回{folder}', { folder: parent.name }) : t('返回全部资料')}
      </button>
      <h3 className={classes.here}>{above.at(-1)?.name}</h3>
    </div>
  );
}

function FolderRow({ folder, onOpen }: { folder: Folder; onOpen: () => void }) {
  return (
    <li>
      <button type="button" className={classes.row} onClick={onOpen}>
        <IconFolder size={24} stroke={1.4} aria-hidden />
        <span className={classes.what}>
          <span className={classes.name}>{folder.name}</span>
          <small>
            {t('{count} 个文件', { count: folder.fileCount })} · {formatDay(folder.updateTime, serverNow())}
          </small>
        </span>
      </button>
    </li>
  );
}

const iconOf: Readonly<Record<string, ComponentType<IconProps>>> = {
  pdf: IconFileTypePdf,
  ...{
    doc: IconFileText,
    docx: IconFileText,
    wps: IconFileText,
    txt: IconFileText,
    md: IconFileText,
    rtf: IconFileText,
  },
  ...{ xls: IconFileSpreadsheet, xlsx: IconFileSpreadsheet, et: IconFileSpreadsheet, csv: IconFileSpreadsheet },
  ...{ ppt: IconPresentation, pptx: IconPresentation, dps: IconPresentation },
  ...{ zip: IconFileZip, rar: IconFileZip, '7z': IconFileZip },
};
const extensionOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
const isPdf = ({ fileName }: CourseFile) => extensionOf(fileName) === 'pdf';

interface FileProps {
  file: CourseFile;
  waiting: boolean;
  onDownload: () => void;
}

function FileRow({ file, waiting, onShow, onDownload }: FileProps & { onShow: () => void }) {
  const Icon = file.fileGroup === fileGroup.image ? IconPhoto : (iconOf[extensionOf(file.fileName)] ?? IconFile);
  const words = (
    <span className={classes.what}>
      <span className={classes.name}>{file.fileName}</span>
      <small>
        {file.fileSizeStr} · {formatDay(file.createTime, serverNow())}
      </small>
    </span>
  );
  return (
    <li className={classes.file}>
      {file.fileGroup === fileGroup.image || isPdf(file) ? (
        <button type="button" className={classes.row} onClick={onShow} title={t('预览')}>
          <Icon size={24} stroke={1.4} aria-hidden />
          {words}
        </button>
      ) : (
        <div className={classes.row}>
          <Icon size={24} stroke={1.4} aria-hidden />
          {words}
        </div>
      )}
      <WaitButton
        className={classes.down}
        variant="default"
        size="compact-sm"
        waiting={waiting}
        onClick={onDownload}
        aria-label={
          file.downState === 1 ? t('重新下载{name}', { name: file.fileName }) : t('下载{name}', { name: file.fileName })
        }
      >
        {downWord(file)}
      </WaitButton>
    </li>
  );
}

/** A picture or a PDF, looked at in the page. */
function Preview({ file, waiting, onDownload, onClose }: FileProps & { onClose: () => void }) {
  if (isPdf(file))
    return (
      <PdfPreview
        url={file.filePath}
        name={file.fileName}
        downWord={downWord(file)}
        onDownload={onDownload}
        onClose={onClose}
      />
    );
  return (
    <Suspense fallback={null}>
      <ImageZoom
        image={{ src: file.filePath, alt: file.fileName }}
        onClose={onClose}
        actions={
          <WaitButton waiting={waiting} onClick={onDownload}>
            {downWord(file)}
          </WaitButton>
        }
      />
    </Suspense>
  );
}

const TIP = 'play-files-tip';

/** What is said about 资料 once, over everything else. */
function Tip() {
  // Opened a moment after the tab: the dialog gives the keyboard back to what had it when it opened.
  const [told, setTold] = useState(true);
  useEffect(() => setTold(recall(TIP) === '1'), []);
  const close = () => {
    remember(TIP, '1');
    setTold(true);
  };
  return (
    <Modal opened={!told} onClose={close} title={t('资料')} size={400} closeButtonProps={{ 'aria-label': t('关闭') }}>
      <p>{t('讲义、习题和补充材料都放在这里，下载后可以离线阅读。')}</p>
      <div className={dialog.actions}>
        <Button onClick={close}>{t('我知道了')}</Button>
      </div>
    </Modal>
  );
}

import { Link, useSearchParams } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { ListState } from '#ui/ListState.tsx';
import pills from '#ui/Pills.module.css';
import { ChapterTree } from '#web/exam/centre/ChapterTree.tsx';
import { idFrom, paths, treeType } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { ExamCenterFrame } from './ExamCenterFrame.tsx';

type Tree = Data<'GET /app/question/index'>;

/** The chapter tree of a pack: type 1 chapter practice, type 2 after-class list (spec §2). Open chapters are in the address. */
export default function ChapterExamPage() {
  const [search] = useSearchParams();
  const type = treeType(search);
  useTitle(type === 1 ? t('章节练习') : t('课后练习'));
  return (
    <ExamCenterFrame kind={type === 1 ? 'chapter' : 'afterclass'}>
      {(packId) => <Chapters packId={packId} type={type} key={`${packId} ${type}`} />}
    </ExamCenterFrame>
  );
}

function Chapters({ packId, type }: { packId: number; type: 1 | 2 }) {
  const [search, setSearch] = useSearchParams();
  const tree = useCall('GET /app/question/index', { packId, type }, { staleTime: 0 });
  const courses = tree.data?.courses ?? [];
  const courseId = idFrom(search.get('courseId'));
  const course = courses.find((one) => one.courseId === courseId) ?? courses[0];
  const open = search.get('open') === null ? opened(tree.data) : new Set(search.get('open')?.split('.').map(Number));
  const toggle = (id: number) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setSearch(
      (was) => {
        const query = new URLSearchParams(was);
        query.set('open', [...next].join('.'));
        return query;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return (
    <ListState
      loading={tree.data === undefined}
      error={tree.data === undefined && tree.error ? t(tree.error.msg) : null}
      onRetry={() => void tree.refetch()}
      empty={course === undefined || course.chapters.length === 0}
      emptyText={t('这门课程还没有章节，请稍后再来。')}
      skeleton={<RowBones count={8} height={52} />}
    >
      {courses.length > 1 && (
        <nav className={pills.pills} aria-label={t('科目')}>
          {courses.map((one) => (
            <Link
              key={one.courseId}
              to={paths.chapterExam({ packId, courseId: one.courseId, type })}
              aria-current={one === course ? 'page' : undefined}
            >
              {one.name}
            </Link>
          ))}
        </nav>
      )}
      {course && <ChapterTree chapters={course.chapters} open={open} onToggle={toggle} />}
    </ListState>
  );
}

/** The chapters that the server opens at first: where the student was last. */
function opened(tree: Tree | undefined): Set<number> {
  const ids = new Set<number>();
  for (const course of tree?.courses ?? []) {
    for (const one of course.chapters) {
      if (one.isShow === 1) ids.add(one.id);
      for (const two of one.childes) if (two.isShow === 1) ids.add(two.id);
    }
  }
  return ids;
}

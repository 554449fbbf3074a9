import { Link, useSearchParams } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import pills from '#ui/Pills.module.css';
import { ChapterTree } from '#web/exam/center/ChapterTree.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { idFrom, paths, treeType } from '#web/lib/paths.ts';
import { useQuery } from '#web/lib/query.ts';
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
  const [search] = useSearchParams();
  const tree = useCall('GET /app/question/index', { packId, type }, { staleTime: 0 });
  const shownCourse = ({ courses }: Tree) =>
    courses.find(({ courseId }) => courseId === idFrom(search.get('courseId'))) ?? courses[0];
  return (
    <CallState
      call={tree}
      skeleton={<RowBones count={8} height={52} />}
      empty={{
        when: (data) => (shownCourse(data)?.chapters ?? []).length === 0,
        show: <EmptyState text={t('这门课程还没有章节，请稍后再来。')} />,
      }}
    >
      {(data) => <Courses tree={data} course={shownCourse(data)} packId={packId} type={type} />}
    </CallState>
  );
}

interface CoursesProps {
  tree: Tree;
  course: Tree['courses'][number] | undefined;
  packId: number;
  type: 1 | 2;
}

/** The courses of the pack, and the chapters of the one that is shown. */
function Courses({ tree, course, packId, type }: CoursesProps) {
  const [search, setQuery] = useQuery();
  const open = search.get('open') === null ? opened(tree) : new Set(search.get('open')?.split('.').map(Number));
  const toggle = (id: number) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setQuery({ open: [...next].join('.') }, { replace: true, preventScrollReset: true });
  };
  return (
    <>
      {tree.courses.length > 1 && (
        <nav className={pills.pills} aria-label={t('科目')}>
          {tree.courses.map((other) => (
            <Link
              key={other.courseId}
              to={paths.chapterExam({ packId, courseId: other.courseId, type })}
              aria-current={other === course ? 'page' : undefined}
            >
              {other.name}
            </Link>
          ))}
        </nav>
      )}
      {course && <ChapterTree chapters={course.chapters} open={open} onToggle={toggle} />}
    </>
  );
}

/** The chapters that the server opens at first: where the student was last. */
function opened(tree: Tree): Set<number> {
  const ids = new Set<number>();
  for (const course of tree.courses) {
    for (const chapter of course.chapters) {
      if (chapter.isShow === 1) ids.add(chapter.id);
      for (const section of chapter.childes) if (section.isShow === 1) ids.add(section.id);
    }
  }
  return ids;
}

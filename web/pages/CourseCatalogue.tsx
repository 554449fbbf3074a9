import { useState } from 'react';
import { useNavigate } from 'react-router';
import { lessonsIn, type PlayNode } from '#rules/play/directory.ts';
import { toast } from '#ui/toast.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { Directory } from '#web/play/Directory.tsx';
import classes from './CoursePage.module.css';

/** The folders that stand open from the beginning: those at the top of the first course, and what holds a trial lesson. */
function openAtFirst({ list, courses }: Data<'GET /app/course/chapters'>): Set<number> {
  const open = new Set<number>();
  const holdsTrial = (node: PlayNode): boolean =>
    node.childes.length === 0 ? node.trial : node.childes.map(holdsTrial).some(Boolean);
  const walk = (node: PlayNode) => {
    if (node.childes.length === 0) return;
    if (holdsTrial(node) || (node.level === 1 && node.firstCourseId === courses[0]?.courseId)) open.add(node.id);
    for (const child of node.childes) walk(child);
  };
  for (const node of list) walk(node);
  return open;
}

/** The catalogue of a pack: chapters with their lessons; trial lessons are marked and lead to where they play. */
export function CourseCatalogue({ chapters, joined }: { chapters: Data<'GET /app/course/chapters'>; joined: boolean }) {
  const navigate = useNavigate();
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(() => openAtFirst(chapters));
  const lessons = lessonsIn(chapters.list);
  const trials = lessons.filter(({ trial }) => trial).length;
  return (
    <>
      {!joined && trials > 0 && (
        <p className={classes.trials}>
          {t('共 {n} 课时，其中 {m} 课时可以试听，标有“试听”的点开就能看。', { n: lessons.length, m: trials })}
        </p>
      )}
      <div className={classes.directory}>
        <Directory
          list={chapters.list}
          courses={chapters.courses}
          currentId={null}
          openIds={openIds}
          onToggle={({ id }, open) =>
            setOpenIds((before) => {
              const after = new Set(before);
              if (open) after.add(id);
              else after.delete(id);
              return after;
            })
          }
          onChoose={({ id, status }) => {
            if (status === 0) toast(joined ? t('完成上一节后解锁') : t('报名后就可以学习这一课时'));
            else void navigate(paths.play(chapters.packId, { lesson: id }));
          }}
          trials={!joined}
        />
      </div>
    </>
  );
}

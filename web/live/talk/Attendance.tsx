import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { clockTime, dayInChina } from '#web/lib/format.ts';
import { Pager } from '#web/lib/Pager.tsx';
import { saveSheet } from '#web/lib/save-sheet.ts';
import { type Data, failureText, send } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './Attendance.module.css';

const LIST = 'GET /app/live/attendance';
const PAGE = 50;
/** Rows that are asked for at once for the spreadsheet. */
const SHEET_PAGE = 100;
/** Milliseconds between two looks at a lesson that is on. */
const RENEW = 30_000;

/** 出勤 of a lesson in the room of this site: who was there, from when to when, how long; as a list and as a spreadsheet. */
export function Attendance({ livelessonId: liveId }: { livelessonId: number }) {
  const [pageNum, setPage] = useState(1);
  const [saving, setSaving] = useState(false);
  const call = useCall(
    LIST,
    { liveId, pageNum, pageSize: PAGE },
    { staleTime: 0, keepPrevious: true, refetchInterval: RENEW },
  );
  const save = async () => {
    setSaving(true);
    try {
      await saveAttendance(liveId);
    } catch (error) {
      toast(failureText(error), 'bad');
    } finally {
      setSaving(false);
    }
  };
  return (
    <CallState call={call} skeleton={<RowBones count={4} height={44} />}>
      {(attendance) => (
        <div className={classes.attendance}>
          <div className={classes.head}>
            <p>
              {t('到课 {count} 人，课程包现有学员 {students} 人。', {
                count: attendance.total,
                students: attendance.students,
              })}
            </p>
            {attendance.total > 0 && (
              <WaitButton
                variant="default"
                size="sm"
                waiting={saving}
                leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
                onClick={() => void save()}
              >
                {t('导出 Excel')}
              </WaitButton>
            )}
          </div>
          {attendance.total === 0 ? <EmptyState text={t('还没有学员到课。')} /> : <Rows list={attendance.list} />}
          <Pager pageNum={attendance.pageNum} pages={attendance.pages} onPage={setPage} />
        </div>
      )}
    </CallState>
  );
}

type Row = Data<typeof LIST>['list'][number];

function Rows({ list }: { list: readonly Row[] }) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('学员')}</th>
            <th scope="col">{t('到课')}</th>
            <th scope="col">{tIn('attendance', '离开')}</th>
            <th scope="col" className={classes.number}>
              {t('时长（分钟）')}
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map(({ userId, nickname, validPhoneExt, fromAt, untilAt, minutes, times, here }) => (
            <tr key={userId}>
              <th scope="row">
                <span lang="zh-CN">{nickname}</span>
                <small>{validPhoneExt}</small>
              </th>
              <td>{clockTime(fromAt)}</td>
              <td>{here ? <span className={classes.here}>{t('在线')}</span> : clockTime(untilAt)}</td>
              <td className={classes.number}>
                {minutes}
                {times > 1 && <small>{t('分 {count} 段', { count: times })}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const momentOf = (at: number) => `${dayInChina(at)} ${clockTime(at)}`;

/** Saves the whole list as a spreadsheet, with times of China. */
async function saveAttendance(liveId: number): Promise<void> {
  const rows: Row[] = [];
  let title = '';
  for (let pageNum = 1, pages = 1; pageNum <= pages; pageNum += 1) {
    const page = await send(LIST, { liveId, pageNum, pageSize: SHEET_PAGE });
    rows.push(...page.list);
    ({ pages, title } = page);
  }
  const head = [t('学员'), t('手机号'), t('到课'), tIn('attendance', '离开'), t('时长（分钟）'), t('段数')];
  // A sheet's name takes 31 characters, and none of these.
  const named = [...title.replaceAll(/[\\/:*?"'<>|[\]]/g, ' ')].slice(0, 10).join('');
  const name = t('出勤 {title}', { title: named });
  await saveSheet(name, [
    head,
    ...rows.map(({ nickname, validPhoneExt, fromAt, untilAt, minutes, times }) => [
      ...[nickname, validPhoneExt, momentOf(fromAt), momentOf(untilAt)],
      ...[minutes, times],
    ]),
  ]);
}

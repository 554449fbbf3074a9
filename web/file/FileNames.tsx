import { IconFile, IconPhoto } from '@tabler/icons-react';
import { fileGroup } from '#contract/values/file.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './FileNames.module.css';

type Names = Data<'GET /api/common/course_file_names'>;

/** What the files of a pack are called, for who may not open them yet: under the folder at the top in which they stand. */
export function FileNames({ names: { list, total } }: { names: Names }) {
  const folders = Map.groupBy(list, ({ folderName }) => folderName);
  // What is in no folder comes last, as in 资料 itself.
  const byFolder = [...folders].sort(([one], [other]) => Number(one === '') - Number(other === ''));
  return (
    <>
      {byFolder.map(([folder, files]) => (
        <div key={folder} className={classes.folder}>
          {folder !== '' ? (
            <h3 className={classes.name} lang="zh-CN">
              {folder}
            </h3>
          ) : (
            // Beside folders: without a heading they would stand below the one before.
            folders.size > 1 && <h3 className={classes.name}>{t('其他资料')}</h3>
          )}
          <ul className={classes.files}>
            {files.map((file) => {
              const Icon = file.fileGroup === fileGroup.image ? IconPhoto : IconFile;
              return (
                <li key={file.id}>
                  <Icon size={18} stroke={1.5} aria-hidden />
                  <span lang="zh-CN">{file.fileName}</span>
                  <small>{file.fileSizeStr}</small>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
      {total > list.length && (
        <p className={classes.more}>{t('共 {n} 份，这里列出前 {m} 份', { n: total, m: list.length })}</p>
      )}
    </>
  );
}

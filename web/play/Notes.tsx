import { Button } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type Ref, useEffect, useId, useRef, useState } from 'react';
import { NOTE_LONGEST } from '#contract/values/play.ts';
import { clockText } from '#rules/play/clock-text.ts';
import { RowBones } from '#ui/Bones.tsx';
import { confirm } from '#ui/confirm.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import icon from '#ui/icon-button.module.css';
import { toast } from '#ui/toast.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { keepDraft, keptDraft } from '#web/lib/drafts.ts';
import { ListEnd } from '#web/lib/ListEnd.tsx';
import { useMe } from '#web/lib/me.ts';
import { CallError, type Data } from '#web/lib/send.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { msg, t } from '#web/lib/t.ts';
import { bounded, isBlank, lengthOf } from '#web/lib/typed-text.ts';
import { invalidate, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import { useMore } from '#web/lib/useMore.ts';
import classes from './Notes.module.css';

type Note = Data<'GET /app/course/note_list'>['list'][number];
const LIST = 'GET /app/course/note_list';
/** Notes of a lesson stand by their place in it: so many that a new one is seen at once wherever it stands. */
const PAGE = 200;

/** Notes of all pages: one that another tab writes meanwhile moves those behind it, and the last of a page comes again with the next. */
const notesOf = (pages: readonly Data<typeof LIST>[]) => [
  ...new Map(pages.flatMap(({ list }) => list).map((note) => [note.id, note])).values(),
];

interface Props {
  packId: number;
  lessonId: number;
  /** The second at which a new note stands. */
  second: () => number;
  /** The lesson plays: it has places to go to. */
  plays: boolean;
  /** Goes to the place of a note, in this lesson or in another one. */
  onJump: (note: Note) => void;
}

/** 笔记: what a student writes for themselves at a second of a lesson; listed, searched in all lessons, changed, deleted. */
export function Notes({ packId, lessonId, second, plays, onJump }: Props) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const keyword = typed.trim();
  const notes = useMore(
    LIST,
    { packId, ...(keyword === '' ? { firstVideoId: lessonId } : { keyword }), pageSize: PAGE },
    { keepPrevious: true },
  );
  const [editing, setEditing] = useState<Note | null>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  // Another form takes the place of the one that had the keyboard.
  const toText = useRef(false);
  useEffect(() => {
    if (!toText.current) return;
    toText.current = false;
    text.current?.focus();
  });
  const edit = (note: Note | null) => {
    toText.current = note !== editing;
    setEditing(note);
  };
  const owner = useMe().me?.studentId ?? 0;
  const client = useQueryClient();
  /** A note that was being changed is gone: what was written goes on as a new one, behind what was begun of that. */
  const goOnAnew = (gone: Note, words: string) => {
    const place = newPlace(packId, lessonId);
    const begun = keptDraft(owner, place, readNoteDraft);
    const at = begun?.second ?? (gone.firstVideoId === lessonId ? gone.position : second());
    keepDraft(owner, place, { text: begun === null ? words : `${begun.text}\n${words}`, second: at });
    keepDraft(owner, changedPlace(packId, gone.id), null);
  };
  /** Its change was refused since it was deleted elsewhere. */
  const lose = (gone: Note, words: string) => {
    goOnAnew(gone, words);
    toast(t('这条笔记不在了，写下的内容留在新笔记里'), 'bad');
    edit(null);
    void invalidate(client, LIST);
  };
  /** As it is when the deletion is answered: somebody may have begun to change the note meanwhile. */
  const changing = useRef(editing);
  useEffect(() => {
    changing.current = editing;
  });
  const deleted = (gone: Note) => {
    const place = changedPlace(packId, gone.id);
    // The form keeps what was changed as it is typed; nothing is kept of a note that is as it was.
    const changed = gone.id === changing.current?.id ? keptDraft(owner, place, readNoteDraft) : null;
    if (changed === null) {
      keepDraft(owner, place, null);
      toast(t('已删除'), 'good');
    } else {
      goOnAnew(gone, changed.text);
      toast(t('已删除，没有保存的修改留在新笔记里'), 'good');
    }
    // The keyboard stays in the list.
    setEditing((now) => (now?.id === gone.id ? null : now));
  };
  const list = useRef<HTMLDivElement>(null);
  useKeptFocus(list, 'li');
  return (
    <div className={classes.notes}>
      <NoteForm
        key={editing?.id ?? 'new'}
        packId={packId}
        lessonId={lessonId}
        note={editing}
        second={second}
        plays={plays}
        onDone={() => edit(null)}
        onGone={lose}
        text={text}
      />
      <label className={classes.search} htmlFor={`${id}-search`}>
        <span className="unseen">{t('搜索本课程的笔记')}</span>
        <input
          id={`${id}-search`}
          type="search"
          maxLength={60}
          placeholder={t('搜索本课程的笔记')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <div ref={list} tabIndex={-1}>
        <CallState
          call={notes.call}
          skeleton={<RowBones count={2} height={64} />}
          empty={{
            when: (pages) => pages[0]?.total === 0,
            show: (
              <EmptyState text={keyword === '' ? t('本节还没有笔记，只有您自己能看到它们') : t('没有找到这样的笔记')} />
            ),
          }}
        >
          {(pages) => (
            <>
              <ul className={classes.list}>
                {notesOf(pages).map((note) => (
                  <NoteRow
                    key={note.id}
                    packId={packId}
                    note={note}
                    named={keyword !== ''}
                    onJump={plays || note.firstVideoId !== lessonId ? onJump : undefined}
                    editing={note.id === editing?.id}
                    onEdit={() => edit(note)}
                    onDeleted={() => deleted(note)}
                  />
                ))}
              </ul>
              <ListEnd
                hasMore={notes.hasMore}
                loadingMore={notes.loadingMore}
                moreError={notes.moreError}
                onMore={notes.readMore}
                onRetry={notes.readMore}
                all={null}
              />
            </>
          )}
        </CallState>
      </div>
    </div>
  );
}

/** Where drafts are kept: of a new note, and of the change of one. */
const newPlace = (packId: number, lessonId: number) => `note.${packId}.${lessonId}`;
const changedPlace = (packId: number, id: number) => `note.${packId}.changed.${id}`;

/** What was begun before: its words, and the second of the lesson at which they were. */
function readNoteDraft(kept: object): { text: string; second: number } | null {
  const { text, second } = kept as Record<string, unknown>;
  if (typeof text !== 'string' || typeof second !== 'number' || !Number.isInteger(second)) return null;
  // What is too long stays whole: two notes that became one are for their writer to cut.
  return { text, second };
}

interface FormProps extends Pick<Props, 'packId' | 'lessonId' | 'second' | 'plays'> {
  /** The note that is changed; null: a new one. */
  note: Note | null;
  onDone: () => void;
  /** The note that is changed is not there any more. */
  onGone: (gone: Note, words: string) => void;
  text: Ref<HTMLTextAreaElement>;
}

function NoteForm({ packId, lessonId, note, second, plays, onDone, onGone, text }: FormProps) {
  const id = useId();
  const save = useSend('POST /app/course/note_save', { renews: [LIST] });
  const owner = useMe().me?.studentId ?? 0;
  const place = note === null ? newPlace(packId, lessonId) : changedPlace(packId, note.id);
  const once = useSentOnce(owner, place);
  const [begun] = useState(() => keptDraft(owner, place, readNoteDraft));
  // A note is about what was played when it was begun: the film goes on while it is written.
  const [beganAt, setBeganAt] = useState(begun?.second ?? null);
  const form = useCallForm<{ note: string }>({
    initialValues: { note: begun?.text ?? note?.note ?? '' },
    check: ({ note: text }) => ({
      note: isBlank(text)
        ? msg('请输入内容')
        : lengthOf(text) > NOTE_LONGEST
          ? msg('这条笔记太长了，请删短一些，或分成几条')
          : null,
    }),
    send: async ({ note: text }) => {
      const content = {
        packId,
        firstVideoId: note?.firstVideoId ?? lessonId,
        position: note?.position ?? beganAt ?? second(),
        note: text.trim(),
      };
      await save.mutateAsync({
        ...content,
        ...(note === null ? { clientId: once.nameOf(content) } : { id: note.id }),
      });
      once.arrived();
      forget();
      form.setValues({ note: '' });
      setBeganAt(null);
      toast(t('笔记已保存'), 'good');
      onDone();
    },
    onRefused: ({ why }) => {
      if (note !== null && why === 'notFound') {
        onGone(note, form.getValues().note);
        return true;
      }
      // Its film is a shorter one since it was begun.
      if (note !== null || why !== 'beyondEnd' || beganAt === null) return false;
      setBeganAt(second());
      toast(t('本节的影片换过了，笔记会记在现在的位置，请再保存一次'), 'bad');
      return true;
    },
  });
  const typed = form.values.note;
  const unsaved = typed !== (note?.note ?? '');
  const forget = useDraft(owner, place, unsaved ? { text: typed, second: beganAt ?? 0 } : null);
  const type = (text: string) => {
    if (isBlank(text)) setBeganAt(null);
    else if (beganAt === null) setBeganAt(second());
    form.setFieldValue('note', text);
  };
  const missing: string | undefined = form.getInputProps('note').error;
  return (
    <form
      {...form.formProps}
      className={classes.form}
      onKeyDown={({ key, nativeEvent }) => {
        // Escape also puts away what an input method suggests.
        if (key === 'Escape' && note !== null && !unsaved && !nativeEvent.isComposing) onDone();
      }}
    >
      <label className="unseen" htmlFor={`${id}-note`}>
        {t('写笔记')}
      </label>
      <textarea
        ref={text}
        id={`${id}-note`}
        rows={2}
        placeholder={t('记下这一刻的想法，只有自己能看到')}
        value={typed}
        aria-invalid={missing !== undefined || undefined}
        aria-describedby={`${id}-changed ${id}-error`}
        {...bounded(Math.max(NOTE_LONGEST, lengthOf(typed)), type)}
      />
      <p id={`${id}-error`} className={classes.error} role="alert">
        {missing ?? form.refusal}
      </p>
      <div className={classes.buttons}>
        {note !== null && (
          <span id={`${id}-changed`} className={classes.at}>
            {note.firstVideoId === lessonId
              ? t('正在修改 {at} 的笔记', { at: clockText(note.position) })
              : t('正在修改“{lesson}” {at} 的笔记', { lesson: note.firstVideoName, at: clockText(note.position) })}
          </span>
        )}
        {plays && note === null && beganAt !== null && (
          <span className={classes.at}>{t('记在 {at}', { at: clockText(beganAt) })}</span>
        )}
        {note !== null && (
          <Button
            variant="default"
            onClick={() => {
              forget();
              onDone();
            }}
          >
            {t('取消')}
          </Button>
        )}
        <WaitButton type="submit" waiting={form.submitting}>
          {note === null ? t('记笔记') : t('保存')}
        </WaitButton>
      </div>
    </form>
  );
}

interface RowProps {
  packId: number;
  note: Note;
  /** Shown among notes of other lessons. */
  named: boolean;
  /** Left out: there is nothing to move. */
  onJump: Props['onJump'] | undefined;
  /** It is in the form. */
  editing: boolean;
  onEdit: () => void;
  onDeleted: () => void;
}

function NoteRow({ packId, note, named, onJump, editing, onEdit, onDeleted }: RowProps) {
  const remove = useSend('POST /app/course/note_delete', { renews: [LIST] });
  const ask = async () => {
    if (!(await confirm({ title: t('删除这条笔记？'), yes: t('删除'), danger: true }))) return;
    try {
      await remove.mutateAsync({ packId, id: note.id });
      onDeleted();
    } catch (error) {
      if (error instanceof CallError) toast(t(error.msg), 'bad');
    }
  };
  const at = clockText(note.position);
  return (
    <li tabIndex={-1} className={classes.note} aria-current={editing || undefined}>
      <div className={classes.head}>
        {onJump ? (
          <button
            type="button"
            className={classes.jump}
            aria-label={t('跳到 {at}', { at })}
            onClick={() => onJump(note)}
          >
            {at}
          </button>
        ) : (
          <span className={classes.at}>{at}</span>
        )}
        {named && <span className={classes.lesson}>{note.firstVideoName}</span>}
        <span className={classes.tools}>
          <button type="button" className={icon.button} aria-label={t('修改这条笔记')} onClick={onEdit}>
            <IconPencil size={18} stroke={1.6} aria-hidden />
          </button>
          <button type="button" className={icon.button} aria-label={t('删除这条笔记')} onClick={() => void ask()}>
            <IconTrash size={18} stroke={1.6} aria-hidden />
          </button>
        </span>
      </div>
      <p className={classes.text}>{note.note}</p>
    </li>
  );
}

import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { qaType } from '#contract/values/qa.ts';
import { languageOf } from '#rules/rich-text/language.ts';
import dialog from '#ui/dialog-actions.module.css';
import '#ui/dialog.css';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { invalidate } from '#web/lib/useCall.ts';
import { readFromFirst } from '#web/lib/useMore.ts';
import { AnswerPromise } from './AnswerPromise.tsx';
import classes from './AskBox.module.css';
import { AskForm, placeOf, type Subject } from './AskForm.tsx';
import { draftOf } from './draft.ts';
import { clearReplyTarget } from './reply-target.ts';

interface Props {
  subject: Subject;
  teachingOnly?: boolean;
}

/** The question input: a line to press, then the whole editor, then the line again (spec §2, §4). */
export function AskBox({ subject, teachingOnly = false }: Props) {
  const client = useQueryClient();
  const owner = useMe().me?.studentId ?? 0;
  const [editing, setEditing] = useState(false);
  const [done, setDone] = useState(false);
  const begin = useRef<HTMLButtonElement>(null);
  const [begun, setBegun] = useState(false);
  // The editor that had the keyboard is gone: it is at the line again, before the dialog notes where to bring it back to.
  useLayoutEffect(() => {
    if (begun && !editing && document.activeElement === document.body) begin.current?.focus({ preventScroll: true });
  }, [begun, editing]);
  // What was begun before a reload, or put off, is not lost: its line says so.
  const draft = editing ? '' : draftOf(owner, placeOf(subject)).text.trim();
  const edit = () => {
    clearReplyTarget();
    setEditing(true);
    setBegun(true);
  };
  return (
    <>
      {editing ? (
        <AskForm
          subject={subject}
          teachingOnly={teachingOnly}
          onClose={() => setEditing(false)}
          onAsked={({ feedbackType }) => {
            setEditing(false);
            setDone(feedbackType === qaType.teaching);
            void readFromFirst(client, 'GET /app/feedback/list');
            void readFromFirst(client, 'GET /app/qa/newest');
            void invalidate(client, 'GET /app/qa/info_student');
            // What was read while one wrote may be of before 18:00.
            void invalidate(client, 'GET /app/qa/promise');
          }}
        />
      ) : (
        <div className={classes.box}>
          <button type="button" className={classes.prompt} onClick={edit}>
            {draft === '' ? (
              t('请详细、具体的描述您的问题')
            ) : (
              <>
                <b>{t('草稿')}</b> <span lang={languageOf(draft)}>{draft}</span>
              </>
            )}
          </button>
          <Button ref={begin} onClick={edit}>
            {t('提问')}
          </Button>
          <Link to={paths.qaRules()} className={classes.rules}>
            {t('提问答疑规范')}
          </Link>
        </div>
      )}
      <Modal
        opened={done}
        onClose={() => setDone(false)}
        title={t('提问成功')}
        size={400}
        closeButtonProps={{ 'aria-label': t('关闭') }}
      >
        <p>
          <AnswerPromise />
        </p>
        <div className={dialog.actions}>
          <Button onClick={() => setDone(false)} data-autofocus>
            {t('知道了')}
          </Button>
        </div>
      </Modal>
    </>
  );
}

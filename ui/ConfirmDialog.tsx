import { Button, Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import './dialog.css';
import classes from './ConfirmDialog.module.css';
import type { OpenQuestion } from './confirm.ts';
import { t } from './words.ts';

/** The dialog of `confirm`. The last question stays readable while the dialog fades out. */
export default function ConfirmDialog({ question }: { question: OpenQuestion | null }) {
  const [shown, setShown] = useState(question);
  const yesButton = useRef<HTMLButtonElement>(null);
  if (question !== null && question !== shown) setShown(question);
  useEffect(() => {
    // Not the dangerous button: Enter out of habit must not destroy anything.
    if (question !== null && !question.danger && !question.careful) yesButton.current?.focus();
  }, [question]);
  if (shown === null) return null;
  const opened = question !== null;
  const safe = shown.danger || shown.careful;
  return (
    <Modal
      opened={opened}
      onClose={() => question?.answer(false)}
      title={shown.title}
      size={420}
      withCloseButton={false}
      returnFocus={false}
      onExitTransitionEnd={shown.refocus}
    >
      {shown.text !== undefined && <p className={classes.text}>{shown.text}</p>}
      {shown.facts !== undefined && (
        <dl className={classes.facts}>
          {shown.facts.map(({ name, value, lang }) => (
            <div key={`${name} ${value}`}>
              <dt lang={lang}>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={classes.actions}>
        <Button variant="default" onClick={() => question?.answer(false)} data-autofocus={safe || undefined}>
          {shown.no ?? t('取消')}
        </Button>
        <Button
          ref={yesButton}
          color={shown.danger ? 'cinnabar' : 'jade'}
          onClick={() => question?.answer(true)}
          data-autofocus={safe ? undefined : true}
        >
          {shown.yes}
        </Button>
      </div>
    </Modal>
  );
}

import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import '#ui/form.css';
import '@mantine/core/styles/Checkbox.layer.css';
import classes from './TickField.module.css';

/** What a form says of a tick: `form.getInputProps(…, { type: 'checkbox' })`. */
export interface TickProps {
  checked?: boolean;
  error?: ReactNode;
  errorProps?: unknown;
  /** In a dialog: the keyboard begins here. */
  'data-autofocus'?: boolean;
}

const placed = { label: classes.label ?? '', inner: classes.box ?? '' };

/** A tick of a form, with what is wrong about it below, announced as at every other field. */
export function TickField({ label, field }: { label: ReactNode; field: TickProps }) {
  const { error, errorProps: _, ...box } = field;
  return (
    <div>
      <Checkbox size="md" label={label} {...box} classNames={placed} />
      {error && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}

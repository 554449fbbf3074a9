import { Checkbox } from '@mantine/core';
import { type ReactNode, useId } from 'react';
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

/** A tick of a form, with what is wrong about it below, announced and bound to it as at every other field. */
export function TickField({ label, field }: { label: ReactNode; field: TickProps }) {
  const { error, errorProps: _, ...box } = field;
  const id = useId();
  return (
    <div>
      <Checkbox
        size="md"
        label={label}
        {...box}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        classNames={placed}
      />
      {error && (
        <p id={id} role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}

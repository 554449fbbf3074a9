import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { MouseEvent, ReactNode, Ref } from 'react';
import classes from './WaitButton.module.css';

interface Props extends Omit<ButtonProps, 'loading'> {
  /** What the button started is still on its way: it shows that and cannot be pressed again. */
  waiting: boolean;
  /** Something else is on its way that this button must not disturb; it fades only when that takes long. */
  blocked?: boolean;
  type?: 'button' | 'submit';
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

/**
 * A button that waits. Unlike the library's `loading` it is not `disabled` meanwhile, because a browser takes the keyboard
 * away from a disabled button, and whoever works by keyboard would have to start again at the top of the page.
 */
export function WaitButton({
  waiting,
  blocked = false,
  type = 'button',
  onClick,
  children,
  className,
  ...rest
}: Props) {
  return (
    <Button
      {...rest}
      type={type}
      className={className ? `${classes.button} ${className}` : classes.button}
      aria-disabled={waiting || blocked || undefined}
      aria-busy={waiting || undefined}
      onClick={(event) => {
        // Also keeps a second Enter in the form from submitting it again.
        if (waiting || blocked) event.preventDefault();
        else onClick?.(event);
      }}
    >
      <span className={classes.words}>{children}</span>
      {waiting && <Loader size={18} color="currentColor" className={classes.loader} aria-hidden />}
    </Button>
  );
}

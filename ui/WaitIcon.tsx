import { ActionIcon, type ActionIconProps, Loader } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import classes from './WaitButton.module.css';

interface Props extends Omit<ActionIconProps, 'loading'> {
  /** As of `WaitButton`. */
  waiting: boolean;
  /** As of `WaitButton`. */
  blocked?: boolean;
  lang?: string;
  title?: string;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
  children: ReactNode;
}

/** `WaitButton` as an icon: it keeps the keyboard while it waits and cannot be pressed twice. */
export function WaitIcon({ waiting, blocked = false, onClick, children, className, ...rest }: Props) {
  return (
    <ActionIcon
      {...rest}
      className={className ? `${classes.button} ${className}` : classes.button}
      aria-disabled={waiting || blocked || undefined}
      aria-busy={waiting || undefined}
      onClick={(event) => {
        if (!waiting && !blocked) onClick(event);
      }}
    >
      {waiting ? <Loader size={18} color="currentColor" aria-hidden /> : children}
    </ActionIcon>
  );
}

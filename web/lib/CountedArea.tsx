import { type ReactNode, useEffect, useId, useRef } from 'react';
import fields from '#ui/fields.module.css';
import { bounded, lengthOf } from './typed-text.ts';

interface Props {
  label: string;
  text: string;
  /** Characters that it takes (`lengthOf`). */
  longest: number;
  onText: (text: string) => void;
  /** What is wrong with it, or why its form was refused. */
  fault: string | null | undefined;
  /** Whether it is the text that is wrong, and not the form alone. */
  wrong: boolean;
  /** While its form is on its way. */
  readOnly: boolean;
  /** Takes the keyboard when it appears. */
  focused?: boolean;
  placeholder?: string;
  /** What belongs to the text and stands above its fault: its pictures. */
  children?: ReactNode;
}

/** A field of a few lines in a form, with how much of it is used, and its fault below. */
export function CountedArea(props: Props) {
  const { label, text, longest, onText, fault, wrong, readOnly, focused = false, placeholder, children } = props;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focused) area.current?.focus();
  }, [focused]);
  return (
    <>
      <label className={fields.label} htmlFor={id}>
        {label}
        <small>
          {lengthOf(text)} / {longest}
        </small>
      </label>
      <textarea
        ref={area}
        id={id}
        className={fields.area}
        rows={2}
        value={text}
        readOnly={readOnly}
        placeholder={placeholder}
        aria-invalid={wrong || undefined}
        aria-describedby={`${id}-error`}
        {...bounded(longest, onText)}
      />
      {children}
      <p id={`${id}-error`} className={fields.error} role="alert">
        {fault}
      </p>
    </>
  );
}

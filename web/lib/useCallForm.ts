import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { CallError } from './send.ts';
import { t } from './t.ts';

/** What is wrong with the fields: a Chinese sentence each, marked with `msg`; a field without one may be sent. */
export type FieldFaults<Values> = { [Field in keyof Values]?: string | null };

interface Options<Values> {
  initialValues: Values;
  /** Looks at the fields before anything is sent. */
  check: (values: Values) => FieldFaults<Values>;
  /** Makes the call and does what follows from its success. A CallError that it throws is shown. */
  send: (values: Values) => Promise<void>;
  /** The field that a refusal is about, where the server's `field` does not name it. */
  fieldOf?: (refusal: CallError) => keyof Values | undefined;
  /** Answers a refusal in the form's own way. Returns whether it did: then no sentence is shown. */
  onRefused?: (refusal: CallError) => boolean;
}

interface CallForm<Values> extends UseFormReturnType<Values> {
  /** For the `form` element. */
  formProps: {
    ref: RefObject<HTMLFormElement | null>;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    noValidate: true;
  };
  /** A refusal that is about no field, in the person's language; null: none. Shown by ui/FormRefusal.tsx. */
  refusal: string | null;
  /** Takes every sentence away. */
  forget: () => void;
  /** Makes a call as a submit does, without looking at the fields again. */
  run: (work: (values: Values) => Promise<void>) => Promise<void>;
}

/**
 * A form that makes a call (the library's form with what all of ours share). A fault found here, or refused by the
 * server for a field, stands at its field, is announced, and takes the keyboard to the first wrong field; every other
 * refusal is `refusal`. Typing takes the field's sentence and `refusal` away. `submitting` is for the button, and nothing
 * is sent twice meanwhile. Sentences are held in Chinese and said in the language of the moment.
 */
export function useCallForm<Values extends Record<string, unknown>>(options: Options<Values>): CallForm<Values> {
  const { initialValues, check, send, fieldOf, onRefused } = options;
  const [refusal, setRefusal] = useState<string | null>(null);
  const [faulty, setFaulty] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const form = useForm<Values>({
    initialValues,
    validate: (values) => ({ ...check(values) }),
    onValuesChange: () => setRefusal(null),
    enhanceGetInputProps: ({ inputProps: { error } }) => ({
      error: typeof error === 'string' ? t(error) : undefined,
      errorProps: { role: 'alert' },
      // The library sets it on every input but the one for passwords.
      'aria-invalid': error ? true : undefined,
    }),
  });

  // Only after the fields were drawn as wrong: the first of them is found by that.
  useEffect(() => {
    if (faulty > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faulty]);

  const run: CallForm<Values>['run'] = async (work) => {
    setRefusal(null);
    form.setSubmitting(true);
    try {
      await work(form.getValues());
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure;
      if (onRefused?.(failure)) return;
      const field = faultyField(failure, form.getValues(), fieldOf);
      form.setErrors(field === null ? {} : { [field]: failure.msg });
      if (field === null) setRefusal(failure.msg);
      else setFaulty((times) => times + 1);
    } finally {
      form.setSubmitting(false);
    }
  };
  const submit = form.onSubmit(
    () => run(send),
    () => {
      setRefusal(null);
      setFaulty((times) => times + 1);
    },
  );
  return {
    ...form,
    formProps: {
      ref: element,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault();
        if (!form.submitting) submit(event);
      },
    },
    refusal: refusal === null ? null : t(refusal),
    forget: () => {
      form.clearErrors();
      setRefusal(null);
    },
    run,
  };
}

/** The field at which a refusal is shown, or null when it belongs to the form as a whole. */
export function faultyField<Values extends Record<string, unknown>>(
  refusal: CallError,
  values: Values,
  fieldOf?: (refusal: CallError) => keyof Values | undefined,
): string | null {
  const field = fieldOf?.(refusal) ?? refusal.field;
  return typeof field === 'string' && Object.hasOwn(values, field) ? field : null;
}

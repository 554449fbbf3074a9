import classes from './Pills.module.css';

interface Props<V> {
  /** What is chosen here, for whoever hears the page. */
  label: string;
  value: V;
  choices: readonly (readonly [V, string])[];
  onChoose: (value: V) => void;
}

/** A few choices of which one holds, in a row: a filter over a list. Links in the same dress use the style alone. */
export function Pills<V>({ label, value, choices, onChoose }: Props<V>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as part of a form
    <div className={classes.pills} role="group" aria-label={label}>
      {choices.map(([of, word]) => (
        <button key={word} type="button" aria-pressed={of === value} onClick={() => onChoose(of)}>
          {word}
        </button>
      ))}
    </div>
  );
}

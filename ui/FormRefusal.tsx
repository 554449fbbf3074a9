import classes from './FormRefusal.module.css';

/** Why a form was refused, where no single field is at fault; nothing when `text` is null. */
export function FormRefusal({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className={classes.refusal} role="alert">
      {text}
    </p>
  );
}

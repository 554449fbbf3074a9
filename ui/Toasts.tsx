import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import classes from './Toasts.module.css';
import { useToasts } from './toast.ts';

/** Where toasts appear, once per page. It is a live region, so a screen reader hears each of them. */
export function Toasts() {
  const toasts = useToasts();
  return (
    <div className={classes.region} role="status" aria-live="polite" aria-atomic="false">
      {toasts.map((toast) => (
        <div key={toast.id} className={classes.toast} data-kind={toast.kind}>
          {toast.kind === 'good' && <IconCheck size={18} aria-hidden />}
          {toast.kind === 'bad' && <IconAlertCircle size={18} aria-hidden />}
          <span>{toast.text}</span>
        </div>
      ))}
    </div>
  );
}

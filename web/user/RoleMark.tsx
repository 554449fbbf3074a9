import type { Me } from '#web/lib/me.ts';
import { t } from '#web/lib/t.ts';
import classes from './RoleMark.module.css';

/** What somebody is to the school, beside their name: students, who are nearly all, carry no mark. */
export function RoleMark({ of: { role } }: { of: Pick<Me, 'role'> }) {
  return role === 'teacher' ? <span className={classes.mark}>{t('教师')}</span> : null;
}

import { toast } from '#ui/toast.ts';
import { paths } from '#web/lib/paths.ts';
import { CallError, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';

/** Ends the session and loads the home page anew, so that nothing of the person stays in this page's memory. */
export async function signOut(): Promise<void> {
  try {
    await send('POST /api/user/logout', {}, { signInAgain: false });
    window.location.assign(paths.home());
  } catch (error) {
    // Saying "signed out" without the server having done it would be worse than an error.
    toast(error instanceof CallError ? t(error.msg) : t('服务器出错了，请稍后重试'), 'bad');
  }
}

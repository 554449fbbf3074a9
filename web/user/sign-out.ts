import { toast } from '#ui/toast.ts';
import { forgetDrafts } from '#web/lib/drafts.ts';
import { paths } from '#web/lib/paths.ts';
import { failureText, send } from '#web/lib/send.ts';

/** Ends the session and loads the home page anew, so that nothing of the person stays in this page's memory. */
export async function signOut(): Promise<void> {
  try {
    await send('POST /api/user/logout', {}, { signInAgain: false });
    await forgetDrafts();
    window.location.assign(paths.home());
  } catch (error) {
    // Saying "signed out" without the server having done it would be worse than an error.
    toast(failureText(error), 'bad');
  }
}

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { Me } from '#web/lib/me.ts';
import { CallError } from '#web/lib/send.ts';
import { callKey, invalidate, useCall } from '#web/lib/useCall.ts';
import { AgreementDialog, GuardianDialog } from './AgreementDialog.tsx';
import { type Agreement, askedOf } from './agreement.ts';
import { ClosingDialog } from './ClosingDialog.tsx';
import { isReleased, NumberGoneDialog } from './NumberGoneDialog.tsx';

/** What was put off in this visit, as the texts it was about. */
let putOff = '';
/** That the number went to somebody else was told in this visit. */
let toldOfNumber = false;

const AGREEMENT = 'GET /app/user/agreement';
/** For how long nobody asks whether a text is in force that its person has not seen: no other window changes it meanwhile. */
const SELDOM = 5 * 60_000;
const asksFor = (agreement: Agreement | undefined): boolean =>
  agreement?.guardianNeeded === 1 || askedOf(agreement).some(({ agreed }) => agreed === 0);
/** Refusals of joining and buying that these dialogs answer. */
const answered: ReadonlySet<string> = new Set(['agreementNeeded', 'guardianNeeded', 'accountClosing']);

/**
 * What a person has to decide about their account before they go on: an account that is being closed, texts to agree to, the consent
 * of a guardian. It stands in the pages with the site's header alone, so that it never covers an exam. Other dialogs, its `children`, come after it.
 */
export default function AccountDialogs({ me, children }: { me: Me; children: ReactNode }) {
  const [, draw] = useState(0);
  const client = useQueryClient();
  // What is asked for here may be given in another window.
  const known = client.getQueryData<Agreement>(callKey(AGREEMENT, {}));
  const call = useCall(AGREEMENT, {}, { staleTime: asksFor(known) ? 0 : SELDOM, enabled: me.closesAt === null });
  // Whoever wants to join or buy is asked at once, also what they put off and what was published since the page was opened.
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { error } = event.action;
        if (!(error instanceof CallError) || !answered.has(error.why)) return;
        putOff = '';
        draw((times) => times + 1);
        void invalidate(client, AGREEMENT);
        if (error.why === 'accountClosing') void invalidate(client, 'GET /api/user/info');
      }),
    [client],
  );
  if (me.closesAt !== null) return <ClosingDialog me={me} closesAt={me.closesAt} />;
  if (isReleased(me) && !toldOfNumber) {
    const later = () => {
      toldOfNumber = true;
      draw((times) => times + 1);
    };
    return <NumberGoneDialog onClose={later} />;
  }
  const agreement = call.data;
  if (agreement === undefined) return call.isError ? children : null;
  const asked = askedOf(agreement);
  const documents = asked.filter(({ agreed }) => agreed === 0);
  const edition = documents.map(({ hash }) => hash).join(' ');
  if (documents.length > 0 && putOff !== edition) {
    const later = () => {
      putOff = edition;
      draw((times) => times + 1);
    };
    return (
      <AgreementDialog
        documents={documents}
        renew={call.refetch}
        onLater={asked.some(({ agreedBefore }) => agreedBefore === 1) ? later : null}
      />
    );
  }
  return documents.length === 0 && agreement.guardianNeeded === 1 ? (
    <GuardianDialog agreement={agreement} renew={call.refetch} />
  ) : (
    children
  );
}

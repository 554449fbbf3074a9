import { type ReactNode, useState } from 'react';
import type { Me } from '#web/lib/me.ts';
import { useCall } from '#web/lib/useCall.ts';
import { AgreementDialog, GuardianDialog } from './AgreementDialog.tsx';
import { askedOf } from './agreement.ts';
import { ClosingDialog } from './ClosingDialog.tsx';
import { isReleased, NumberGoneDialog } from './NumberGoneDialog.tsx';

/** What was put off in this visit, as the texts it was about. */
let putOff = '';
/** That the number went to somebody else was told in this visit. */
let toldOfNumber = false;

/**
 * What a person has to decide about their account before they go on: an account that is being closed, texts to agree to, the consent
 * of a guardian. It stands in the pages with the site's header alone, so that it never covers an exam. Other dialogs, its `children`, come after it.
 */
export default function AccountDialogs({ me, children }: { me: Me; children: ReactNode }) {
  const [, draw] = useState(0);
  const call = useCall('GET /app/user/agreement', {}, { staleTime: 5 * 60_000, enabled: me.closesAt === null });
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

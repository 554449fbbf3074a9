import { type ComponentType, useEffect, useState } from 'react';
import ExamDialogs, { type DialogProps } from '#web/exam/ExamDialogs.tsx';

/** What opens over a question, together with the display settings of the person. */
export default function ExamOverlays(props: Omit<DialogProps, 'display'>) {
  return <ExamDialogs {...props} display={<Display />} />;
}

/** The display settings, fetched when they are opened: few open them, and without a network the rest still works. */
function Display() {
  const [found, setFound] = useState<{ Settings: ComponentType } | null>(null);
  useEffect(() => {
    let gone = false;
    import('#web/user/DisplaySettings.tsx')
      .then(({ DisplaySettings }) => {
        if (!gone) setFound({ Settings: DisplaySettings });
      })
      .catch(() => undefined);
    return () => {
      gone = true;
    };
  }, []);
  return found && <found.Settings />;
}

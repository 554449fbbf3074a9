import { lazy, Suspense } from 'react';
import { t } from '#web/lib/t.ts';

/** The viewer comes with the first PDF that is opened: it is larger than a whole page of the site. */
const PdfViewer = lazy(() => import('#ui/pdf/PdfViewer.tsx'));

interface Props {
  url: string;
  name: string;
  /** What saving it is called. */
  downWord: string;
  onDownload: () => void;
  onClose: () => void;
}

/** A PDF of the course, read in the page. */
export function PdfPreview(props: Props) {
  return (
    <Suspense fallback={null}>
      <PdfViewer {...props} waiting={t('课件下载中')} />
    </Suspense>
  );
}

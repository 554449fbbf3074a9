import { type ComponentType, lazy } from 'react';

export type Load = () => Promise<{ default: ComponentType }>;

/** A page whose code comes when it is first shown. */
export interface LatePage {
  readonly load: Load;
  /** Draws the page, or waits for its code (Suspense). */
  Page: ComponentType;
  failed: boolean;
}

const pages: LatePage[] = [];
const Nothing = () => null;

/** Declares a page that is loaded when it is first shown. */
export function latePage(load: Load): LatePage {
  const page: LatePage = { load, Page: Nothing, failed: false };
  renew(page);
  pages.push(page);
  return page;
}

function renew(page: LatePage): void {
  page.failed = false;
  page.Page = lazy(() =>
    page.load().catch((error: unknown) => {
      page.failed = true;
      throw error;
    }),
  );
}

/** Pages whose code did not come are asked for again when they are next drawn: `lazy` alone would fail for ever. */
export function retryPages(): void {
  for (const page of pages) if (page.failed) renew(page);
}

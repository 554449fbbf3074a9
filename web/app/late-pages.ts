import { type ComponentType, lazy } from 'react';

export type Load = () => Promise<{ default: ComponentType }>;

/** A page whose code comes when it is first shown. */
export interface LatePage {
  /** Asks for its code. */
  readonly load: Load;
  /** Draws the page, or waits for its code (Suspense). */
  Page: ComponentType;
  failed: boolean;
}

const pages: LatePage[] = [];
const Nothing = () => null;

/** Declares a page that is loaded when it is first shown. What has come by then is drawn at once. */
export function latePage(load: Load): LatePage {
  let come: Awaited<ReturnType<Load>> | null = null;
  const page: LatePage = {
    load: async () => {
      come = await load();
      return come;
    },
    Page: Nothing,
    failed: false,
  };
  const renew = () => {
    page.failed = false;
    page.Page = lazy(() => {
      if (come !== null) return atOnce(come);
      return page.load().catch((error: unknown) => {
        page.failed = true;
        throw error;
      });
    });
  };
  renew();
  pages.push(page);
  renewing.set(page, renew);
  return page;
}

const renewing = new WeakMap<LatePage, () => void>();

/** What is there already, in the form that `lazy` asks for: a promise would make it wait, and the page with it. */
function atOnce<T>(value: T): Promise<T> {
  // biome-ignore lint/suspicious/noThenProperty: that it has one is what it is for.
  return { then: (take: (value: T) => void) => take(value) } as unknown as Promise<T>;
}

/** Pages whose code did not come are asked for again when they are next drawn: `lazy` alone would fail for ever. */
export function retryPages(): void {
  for (const page of pages) if (page.failed) renewing.get(page)?.();
}

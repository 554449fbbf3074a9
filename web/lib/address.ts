/**
 * Changes the query of the address without the router: it would render the whole page for each question, and nothing
 * on the page depends on it before the next reload.
 */
export function putInAddress(change: Readonly<Record<string, string>>): void {
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value);
  window.history.replaceState(window.history.state, '', url);
}

import { QueryClient } from '@tanstack/react-query';

/** What the server answered, for as long as the page lives. */
export const client = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, refetchOnWindowFocus: true, networkMode: 'always' },
  },
});

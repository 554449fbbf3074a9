import { localStorageColorSchemeManager, type MantineColorScheme, MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmHost } from '#ui/ConfirmHost.tsx';
import { Toasts } from '#ui/Toasts.tsx';
import { theme } from '#ui/theme.ts';
import { rememberedLook, tellLook } from '#web/lib/drawn.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Relogin } from './Relogin.tsx';
import { Router } from './router.tsx';

const stored = localStorageColorSchemeManager({ key: 'lixue.theme' });
/** What this browser remembers, which the server has to know too when it draws the next page. */
const schemes: typeof stored = {
  ...stored,
  set(theme) {
    stored.set(theme);
    tellLook(rememberedLook());
  },
};

interface Props {
  client: QueryClient;
  /** Puts the addresses around it: those of the browser, or the one that is drawn. */
  inAddresses: (children: ReactNode) => ReactNode;
  /** Where nothing is remembered: the look of who will see it. */
  theme?: MantineColorScheme;
}

/** Everything that is on every page: data, look, addresses, toasts, questions, and signing in again in place. */
export function App({ client, inAddresses, theme: scheme = 'auto' }: Props) {
  return (
    <QueryClientProvider client={client}>
      <MantineProvider
        theme={theme}
        colorSchemeManager={schemes}
        defaultColorScheme={scheme}
        // They stand in ui/base.css (tools/theme-variables.ts).
        withCssVariables={false}
        withGlobalClasses={false}
      >
        {inAddresses(
          <>
            <ErrorBoundary>
              <Router />
            </ErrorBoundary>
            <Relogin />
            <ConfirmHost />
          </>,
        )}
        <Toasts />
      </MantineProvider>
    </QueryClientProvider>
  );
}

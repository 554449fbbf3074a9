import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter } from 'react-router';
import { ConfirmHost } from '#ui/ConfirmHost.tsx';
import { Toasts } from '#ui/Toasts.tsx';
import { theme, variables } from '#ui/theme.ts';
import { client } from './client.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Relogin } from './Relogin.tsx';
import { Router } from './router.tsx';

const schemes = localStorageColorSchemeManager({ key: 'lixue.theme' });

/** Everything that is on every page: data, look, addresses, toasts, questions, and signing in again in place. */
export function App() {
  return (
    <QueryClientProvider client={client}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        colorSchemeManager={schemes}
        defaultColorScheme="auto"
        withGlobalClasses={false}
      >
        <BrowserRouter>
          <ErrorBoundary>
            <Router />
          </ErrorBoundary>
          <Relogin />
          <ConfirmHost />
        </BrowserRouter>
        <Toasts />
      </MantineProvider>
    </QueryClientProvider>
  );
}

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,rules,server,web,ui,content,tools}/**/*.test.{ts,tsx}'],
    exclude: ['e2e/**', '**/node_modules/**'],
    environment: 'node',
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});

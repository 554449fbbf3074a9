import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,rules,server,web,ui,content,tools}/**/*.test.{ts,tsx}'],
    exclude: ['e2e/**', '**/node_modules/**'],
    environment: 'node',
    pool: 'forks',
    // By itself it leaves one core free, which is half of the machine that CI has.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});

import { removeTemplates } from './fresh-database.test-kit.ts';

/** Vitest runs it when all tests of a run are over. */
export default () => removeTemplates;

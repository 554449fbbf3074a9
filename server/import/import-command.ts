import type { Command } from '#server/command.ts';
import { packCommand } from './pack-command.ts';
import { questionsCommand } from './questions-command.ts';
import { storefrontCommand } from './storefront-command.ts';
import { templateCommand } from './template-command.ts';
import { universitiesCommand } from './universities-command.ts';

/** The commands that bring in courses and their questions. */
export const importCommands: readonly Command[] = [packCommand, questionsCommand, storefrontCommand, templateCommand];

/** The commands that bring in universities. */
export const universityCommands: readonly Command[] = [universitiesCommand];

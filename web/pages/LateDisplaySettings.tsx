import { useLate } from '#ui/useLate.ts';

const load = () => import('#web/user/DisplaySettings.tsx');

/** The display settings, fetched when they are opened: few open them, and without a network the rest still works. */
export function LateDisplaySettings() {
  const found = useLate(load);
  return found && <found.DisplaySettings />;
}

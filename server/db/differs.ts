/** Whether any column of the wanted row reads otherwise in the stored one; columns that are not named make no difference. */
export const differs = <Stored extends object>(
  wanted: Partial<Record<keyof Stored, unknown>>,
  stored: Stored,
): boolean => (Object.keys(wanted) as (keyof Stored)[]).some((column) => wanted[column] !== stored[column]);

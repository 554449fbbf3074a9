/** fileGroup of a course file (spec §3). */
export const fileGroup = { document: 0, image: 1 } as const;
export const fileGroups = [0, 1] as const;
export type FileGroup = (typeof fileGroups)[number];

/** Files on one page of a list (spec §9). */
export const FILE_PAGE_SIZE = 200;
/** File names that are told to people who consider a pack. */
export const MOST_FILE_NAMES = 100;

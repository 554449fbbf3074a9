/** Code points of the title of a live lesson. */
export const LIVE_TITLE_LONGEST = 60;
/** Hours that a live lesson may be planned for. */
export const LIVE_MOST_HOURS = 12;
/** Days ahead that one may be planned for. */
export const LIVE_MOST_DAYS = 366;
/** Characters of an address of another platform. */
export const LIVE_ADDRESS_LONGEST = 1000;
/** How a live lesson stands (spec §3): 1 upcoming, 2 live, 3 replay, 4 ended. */
export const liveStates = [1, 2, 3, 4] as const;
export type LiveState = (typeof liveStates)[number];
export const UPCOMING = 1;
export const LIVE = 2;
export const REPLAY = 3;
export const ENDED = 4;
/** Where it is held (spec §3): 0 the room of this site, 1 another platform, whose address is opened. */
export const OTHER_PLATFORM = 1;

/** Items on one page of a list, unless asked otherwise. */
export const PAGE_SIZE = 10;
/** The largest page that may be asked for. */
export const LARGEST_PAGE_SIZE = 200;

/**
 * A place in a list of work, on the wire: a letter for its part (w: what waits, r: the rest), then by what that is sorted, and the id of
 * the entry (rules/paging/place.ts).
 */
export const PLACE_PATTERN = '^[wr][0-9]{1,15}-[0-9]{1,15}$';

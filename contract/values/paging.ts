/** Items on one page of a list, unless asked otherwise. */
export const PAGE_SIZE = 10;
/** The largest page that may be asked for. */
export const LARGEST_PAGE_SIZE = 200;

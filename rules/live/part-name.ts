/** What a part of a recording is called: its number in the stream, and when it began (epoch milliseconds). Nothing else on a disk is one. */
export const PART = /^\d{4,6}-\d{10,16}\.flv$/;

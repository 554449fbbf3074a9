/** Of a copy of one's data: being made · there to be fetched · will not be made. */
export const exportStates = ['waiting', 'ready', 'failed'] as const;
export type ExportState = (typeof exportStates)[number];

/** Days between asking for the closing of an account and its closing. */
export const COOLING_OFF_DAYS = 15;
/** Days for which a copy of one's data can be fetched. */
export const EXPORT_DAYS = 7;

/** Longest identity number that is taken as typed, in code points: 18 with some spaces between. */
export const TYPED_ID_LONGEST = 40;

/** The longest name, short name or pinyin that is searched for. */
export const UNIVERSITY_NAME_LONGEST = 60;
/** The longest province or city that a list is narrowed to. */
export const REGION_LONGEST = 30;
/** Universities on one page of the list, unless asked otherwise. */
export const UNIVERSITIES_PER_PAGE = 24;
/** Suggestions for what is typed, at most. */
export const MOST_SUGGESTIONS = 8;
/** Universities that a student compares side by side, at most. */
export const MOST_COMPARED = 3;

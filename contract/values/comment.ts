/** The longest comment, in characters (code points) as a person counts (spec §5). */
export const COMMENT_LONGEST = 2000;

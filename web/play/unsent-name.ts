/** Where this browser remembers what of playing was not said yet: a text of its own, since the server reads it too (ask-ahead.ts). */
export const UNSENT = 'play.unsent';
/** Where it remembers when what was played, or a place, was last acknowledged (epoch milliseconds). */
export const TOLD = 'play.told';

/** When somebody last signed out in this browser, in epoch milliseconds: a text of its own, since the server reads it too (ask-script.ts). */
export const LEFT = 'leftAt';
/** Who signed in after that, also in another window. */
export const CAME = 'cameAgain';

/**
 * Cookies by which a browser says how it wants its pages drawn: what is remembered in it (web/lib/remember.ts), for the
 * server to read. Without one: Chinese, and the theme of the system.
 */
export const LANGUAGE_COOKIE = 'lixue_language';
export const THEME_COOKIE = 'lixue_theme';

/** Sent in a drawn page's window once the script has taken it over: what was pressed until then is pressed now. */
export const TAKEN_OVER = 'lixue-taken-over';

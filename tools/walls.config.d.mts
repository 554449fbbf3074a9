/** What walls.config.mjs says, as far as its test reads it. */
declare const walls: { forbidden: readonly { name: string }[] };
export default walls;

/** What a page does with a chosen picture before it is sent: for the journey that looks at it alone. */
export { prepareImage } from '#web/lib/prepare-image.ts';

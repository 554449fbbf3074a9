/** The build of hls.js without what we have no use for (alternate audio, DRM, in-band subtitles); it ships no types of its own. */
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}

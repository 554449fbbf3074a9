import { drawShrunk } from './shrink-image.ts';

/** Beside the page, so that it stays quick while a large photo is drawn. Answers with the smaller picture, or null. */
addEventListener('message', ({ data }: MessageEvent<Blob>) => {
  drawShrunk(data).then(
    (shrunk) => postMessage(shrunk),
    () => postMessage(null),
  );
});

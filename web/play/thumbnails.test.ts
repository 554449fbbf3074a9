import { expect, it } from 'vitest';
import { thumbnailTrack } from '#rules/media/playlist.ts';
import { readThumbnails } from './thumbnails.ts';

it('reads the track that the pipeline writes', () => {
  const grid = { every: 10_000, count: 3, columns: 2, rows: 2, width: 160, height: 90 };
  const found = readThumbnails(thumbnailTrack(grid, 25_000), '/app/video/play/1/');
  const picture = { url: '/app/video/play/1/thumbnails.jpg', width: 160, height: 90 };
  expect(found).toEqual([
    { ...picture, from: 0, to: 10, x: 0, y: 0 },
    { ...picture, from: 10, to: 20, x: 160, y: 0 },
    { ...picture, from: 20, to: 25, x: 0, y: 90 },
  ]);
  expect(readThumbnails('WEBVTT\n\nnonsense', '/')).toEqual([]);
});

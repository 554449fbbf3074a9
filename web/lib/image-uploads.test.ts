import { describe, expect, it } from 'vitest';
import { type ImageEvent, imageUploads, isTextPasted, noImages } from './image-uploads.ts';

const having = (...events: ImageEvent[]) => events.reduce(imageUploads, noImages);
const one = { type: 'chosen', images: [{ key: 1, name: 'a.jpg' }] } as const;

describe('pictures on their way', () => {
  it('are read, sent and done, in the order in which they were chosen', () => {
    const { images, fault } = having(
      one,
      { type: 'chosen', images: [{ key: 2, name: 'b.png' }] },
      { type: 'sending', key: 2, preview: 'blob:2' },
      { type: 'moved', key: 2, share: 0.5 },
      { type: 'sending', key: 1, preview: 'blob:1' },
      { type: 'done', key: 1, fileName: 'x.jpg' },
    );
    expect(fault).toBe('');
    expect(images).toMatchObject([
      { key: 1, phase: 'done', share: 1, fileName: 'x.jpg', preview: 'blob:1' },
      { key: 2, phase: 'sending', share: 0.5, fileName: '' },
    ]);
  });

  it('that are refused are not there, and the sentence stays until something is chosen or removed', () => {
    const refused = having(one, { type: 'refused', key: 1, msg: '图片格式不正确' });
    expect(refused).toEqual({ images: [], fault: '图片格式不正确' });
    expect(imageUploads(refused, one).fault).toBe('');
  });

  it('that failed stay, and begin again', () => {
    const failed = having(one, { type: 'sending', key: 1, preview: 'p' }, { type: 'failed', key: 1, msg: '没有网络' });
    expect(failed.images).toMatchObject([{ phase: 'failed', msg: '没有网络', preview: 'p' }]);
    expect(imageUploads(failed, { type: 'retried', key: 1 }).images).toMatchObject([{ phase: 'sending', msg: '' }]);
  });

  it('that were removed come back by nothing that is heard of them later', () => {
    const gone = having(one, { type: 'removed', key: 1 });
    const late: ImageEvent[] = [
      { type: 'moved', key: 1, share: 1 },
      { type: 'done', key: 1, fileName: 'x' },
      { type: 'failed', key: 1, msg: 'x' },
    ];
    expect(late.reduce(imageUploads, gone).images).toEqual([]);
  });

  it('of a draft are there again as they were', () => {
    const images = [{ key: 5, fileName: 'x.jpg', preview: '/files/x' }];
    expect(having(one, { type: 'restored', images }).images).toMatchObject([
      { key: 5, phase: 'done', fileName: 'x.jpg' },
    ]);
    expect(having(one, { type: 'cleared' })).toEqual(noImages);
  });
});

it.each<[string, string, string[], boolean]>([
  ['a picture alone', '', ['image.png'], false],
  ['a file of a window of files, which comes with its name', '截图 1.png', ['截图 1.png'], false],
  ['several of them', '截图 1.png\n/home/me/b.jpg', ['截图 1.png', 'b.jpg'], false],
  ['a table with a picture of it', '1\t2\r\n3\t4', ['image.png'], true],
  ['words beside a picture', '见截图 1.png', ['截图 1.png'], true],
])('%s is taken for text: %j', (_, said, names, text) => {
  expect(
    isTextPasted(
      said,
      names.map((name) => ({ name })),
    ),
  ).toBe(text);
});

import type { Locator } from '@playwright/test';

/** One point of colour. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Given {
  name: string;
  mimeType: string;
  buffer: Buffer;
  /** As a window of files says it beside the picture. */
  text?: string;
}

/**
 * Puts a picture on an element as the browser does when one is pasted or dropped.
 * @returns whether the browser was kept from what it does itself
 */
export function give(
  onto: Locator,
  how: 'paste' | 'drop',
  { name, mimeType, buffer, text }: Given = {
    name: '截图.png',
    mimeType: 'image/png',
    buffer: PIXEL,
    text: '截图.png',
  },
): Promise<boolean> {
  return onto.evaluate(
    (target, { how, name, type, bytes, text }) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], name, { type }));
      if (text !== undefined) data.setData('text/plain', text);
      const said = { bubbles: true, cancelable: true };
      const event =
        how === 'paste'
          ? new ClipboardEvent('paste', { ...said, clipboardData: data })
          : new DragEvent('drop', { ...said, dataTransfer: data });
      target.dispatchEvent(event);
      return event.defaultPrevented;
    },
    { how, name, type: mimeType, bytes: [...buffer], text },
  );
}

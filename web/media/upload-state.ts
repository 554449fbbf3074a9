import type { UploadPurpose } from '#contract/values/upload.ts';

/** Where the upload of one file stands in this window. */
type UploadPhase = 'reading' | 'waiting' | 'sending' | 'paused' | 'cut' | 'failed';

/** One file that is uploaded from this window. */
export interface UploadItem {
  key: string;
  fileName: string;
  bytes: number;
  /** Bytes on their way or there. */
  sent: number;
  phase: UploadPhase;
  /** Where it goes on; null: it has not begun. */
  address: string | null;
  /** In Chinese: why it failed, or waits; '' when nothing is wrong. */
  msg: string;
  /** How often in a row it was cut off without getting on. */
  cuts: number;
  /** What was sent when, for its speed: milliseconds and bytes. */
  samples: readonly (readonly [number, number])[];
}

export type UploadAction =
  | { do: 'add'; key: string; fileName: string; bytes: number }
  | { do: 'found'; key: string; address: string; received: number }
  | { do: 'look'; key: string }
  | { do: 'begin'; key: string }
  | { do: 'address'; key: string; address: string }
  | { do: 'progress'; key: string; sent: number; at: number }
  | { do: 'pause'; key: string }
  | { do: 'queue'; key: string }
  | { do: 'cut'; key: string; msg: string }
  | { do: 'fail'; key: string; msg: string }
  | { do: 'remove'; key: string };

/** Uploads at once: more share the same line and end later. */
export const AT_ONCE = 2;
/** What the speed is taken from (milliseconds). */
const LOOKS_BACK = 6000;

const STOPPED = { samples: [] } as const;

/** What becomes of the files of this window. */
export function uploadsAfter(items: readonly UploadItem[], action: UploadAction): readonly UploadItem[] {
  if (action.do === 'add') {
    const { key, fileName, bytes } = action;
    const item: UploadItem = {
      ...{ key, fileName, bytes, sent: 0, phase: 'reading', address: null, msg: '', cuts: 0 },
      ...STOPPED,
    };
    return [...items, item];
  }
  if (action.do === 'remove') return items.filter(({ key }) => key !== action.key);
  return items.map((item) => (item.key === action.key ? itemAfter(item, action) : item));
}

function itemAfter(item: UploadItem, action: Exclude<UploadAction, { do: 'add' | 'remove' }>): UploadItem {
  switch (action.do) {
    case 'found':
      return { ...item, address: action.address, sent: action.received };
    case 'look':
      return { ...item, phase: 'reading', msg: '', ...STOPPED };
    case 'begin':
      return { ...item, phase: 'sending', msg: '', ...STOPPED };
    case 'address':
      return { ...item, address: action.address };
    case 'progress': {
      // What comes after a pause was on its way before it.
      if (item.phase !== 'sending') return item;
      const samples = [
        ...item.samples.filter(([at]) => action.at - at <= LOOKS_BACK),
        [action.at, action.sent] as const,
      ];
      return { ...item, sent: action.sent, cuts: action.sent > item.sent ? 0 : item.cuts, samples };
    }
    case 'pause':
      return { ...item, phase: 'paused', msg: '', ...STOPPED };
    case 'queue':
      return { ...item, phase: 'waiting', msg: '', ...STOPPED };
    case 'cut':
      return { ...item, phase: 'cut', msg: action.msg, cuts: item.cuts + 1, ...STOPPED };
    case 'fail':
      return { ...item, phase: 'failed', msg: action.msg, ...STOPPED };
  }
}

/** The file to begin with next; null: enough are under way, or none waits. */
export function nextToSend(items: readonly UploadItem[]): UploadItem | null {
  if (items.filter(({ phase }) => phase === 'sending').length >= AT_ONCE) return null;
  return items.find(({ phase }) => phase === 'waiting') ?? null;
}

/** Bytes a second of late; null: not known yet. */
export function speedOf({ samples }: Pick<UploadItem, 'samples'>): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last[0] - first[0] < 500) return null;
  return Math.max(0, ((last[1] - first[1]) * 1000) / (last[0] - first[0]));
}

/** Milliseconds until an upload that was cut off is tried again, longer each time. */
export function waitAfterCut(cuts: number): number {
  return Math.min(30_000, 1000 * 2 ** Math.min(Math.max(cuts - 1, 0), 10));
}

/** Whether an upload that was refused so goes on later by itself: nobody answered, or somebody else holds it for a moment. */
export function goesOn(status: number): boolean {
  return status === 0 || [408, 409, 423, 429, 460].includes(status) || (status >= 500 && status !== 507);
}

/** What is asked for of the server's uploads. */
export const PURPOSE: UploadPurpose = 'media';

import { START_LEVEL } from '#contract/values/media.ts';
import type { ThumbnailGrid } from './ladder.ts';

/** One quality as a playlist tells of it. */
export interface PlaylistRendition {
  name: string;
  width: number | null;
  height: number | null;
  frameRate: number | null;
  codecs: string;
  /** Bits a second: of the worst segment, and on average. */
  bandwidth: number;
  averageBandwidth: number;
}

/** A segment as it is stored: milliseconds, and bytes of its encrypted form. */
export type Segment = readonly [duration: number, bytes: number];

const lines = (all: readonly string[]) => `${all.join('\n')}\n`;
const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);

const byBandwidth = <R extends { bandwidth: number }>(renditions: readonly R[]): R[] =>
  [...renditions].sort((a, b) => a.bandwidth - b.bandwidth);

/** The quality that players begin with (spec §9: start quality level 2), or the best where there are fewer; null: there is none. */
export function startRendition<R extends { bandwidth: number }>(renditions: readonly R[]): R | null {
  const sorted = byBandwidth(renditions);
  return sorted[START_LEVEL] ?? sorted.at(-1) ?? null;
}

/** The list of qualities, the lowest first (RFC 8216 §4.3.4.2). Addresses are relative: the cookie of the file's path goes with them. */
export function masterPlaylist(renditions: readonly PlaylistRendition[]): string {
  const sorted = byBandwidth(renditions);
  return lines([
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...sorted.flatMap(({ name, width, height, frameRate, codecs, bandwidth, averageBandwidth }) => [
      [
        `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth}`,
        `AVERAGE-BANDWIDTH=${averageBandwidth}`,
        `CODECS="${codecs}"`,
        ...(width === null || height === null ? [] : [`RESOLUTION=${width}x${height}`]),
        ...(frameRate === null ? [] : [`FRAME-RATE=${frameRate.toFixed(3)}`]),
      ].join(','),
      `${name}.m3u8`,
    ]),
  ]);
}

/**
 * The list of segments of one quality. Each has the key of its quality and, as it names none, its own number as the
 * initialization vector (RFC 8216 §5.2): under one key no vector comes twice.
 */
export function mediaPlaylist(name: string, segments: readonly Segment[]): string {
  const longest = Math.max(1, ...segments.map(([duration]) => Math.round(duration / 1000)));
  return lines([
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXT-X-TARGETDURATION:${longest}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-KEY:METHOD=AES-128,URI="${name}.key"`,
    ...segments.flatMap(([duration], at) => [`#EXTINF:${seconds(duration)},`, `${name}/${at}.ts`]),
    '#EXT-X-ENDLIST',
  ]);
}

/** Bits a second of these segments: of the worst one, and on average. */
export function bandwidthOf(segments: readonly Segment[]): { bandwidth: number; averageBandwidth: number } {
  // A last segment of a few frames says nothing of what the line has to carry.
  const rates = segments.filter(([duration]) => duration >= 500).map(([duration, bytes]) => (bytes * 8000) / duration);
  const [length, bytes] = segments.reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
  const averageBandwidth = Math.ceil((bytes * 8000) / Math.max(length, 1));
  return { bandwidth: Math.ceil(Math.max(averageBandwidth, ...rates)), averageBandwidth };
}

/** Where a segment begins in the one file of its quality; null: there is none of that number. */
export function segmentPlace(segments: readonly Segment[], at: number): { first: number; last: number } | null {
  const segment = segments[at];
  if (!segment) return null;
  const first = segments.slice(0, at).reduce((sum, [, bytes]) => sum + bytes, 0);
  return { first, last: first + segment[1] - 1 };
}

function cueTime(milliseconds: number): string {
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const rest = String(Math.floor(milliseconds % 1000)).padStart(3, '0');
  return `${two(milliseconds / 3_600_000)}:${two((milliseconds / 60_000) % 60)}:${two((milliseconds / 1000) % 60)}.${rest}`;
}

/** The small pictures of the seek bar as a track: each cue names its part of the one file (Media Fragments §4.2.2). */
export function thumbnailTrack({ every, count, columns, width, height }: ThumbnailGrid, duration: number): string {
  const cues = Array.from({ length: count }, (_, at) => {
    const end = at === count - 1 ? Math.max(duration, at * every + 1) : (at + 1) * every;
    const place = `${(at % columns) * width},${Math.floor(at / columns) * height},${width},${height}`;
    return `${cueTime(at * every)} --> ${cueTime(end)}\nthumbnails.jpg#xywh=${place}\n`;
  });
  return lines(['WEBVTT', '', ...cues]);
}

/** Where subtitles are below the address of one video. @param file as they are stored: `3f/3fa9….vtt` */
export const subtitlesPart = (file: string): string => `subtitles/${file.slice(3)}`;

/** What is asked for below the address of one video. */
type PlayPart =
  | { what: 'master' | 'poster' | 'thumbnails' | 'thumbnailTrack' }
  | { what: 'playlist' | 'key'; rendition: string }
  | { what: 'segment'; rendition: string; at: number }
  | { what: 'subtitles'; file: string };

/** Reads what is asked for; null: nothing that there is. */
export function playPartOf(path: string): PlayPart | null {
  if (path === 'master.m3u8') return { what: 'master' };
  if (path === 'poster.jpg') return { what: 'poster' };
  if (path === 'thumbnails.jpg') return { what: 'thumbnails' };
  if (path === 'thumbnails.vtt') return { what: 'thumbnailTrack' };
  const [, track] = /^subtitles\/([0-9a-f]{64})\.vtt$/.exec(path) ?? [];
  if (track !== undefined) return { what: 'subtitles', file: `${track.slice(0, 2)}/${track}.vtt` };
  const [, rendition = '', at, extension] =
    /^([a-z0-9]{1,8}-[0-9a-f]{8})(?:\/(\d{1,6})\.ts|\.(m3u8|key))$/.exec(path) ?? [];
  if (rendition === '') return null;
  if (at !== undefined) return { what: 'segment', rendition, at: Number(at) };
  return { what: extension === 'key' ? 'key' : 'playlist', rendition };
}

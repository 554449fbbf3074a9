/** Code points of the title of a live lesson. */
export const LIVE_TITLE_LONGEST = 60;
/** Hours that a live lesson may be planned for. */
export const LIVE_MOST_HOURS = 12;
/** Days ahead that one may be planned for. */
export const LIVE_MOST_DAYS = 366;
/** Characters of an address of another platform. */
export const LIVE_ADDRESS_LONGEST = 1000;
/** How a live lesson stands (spec §3): 1 upcoming, 2 live, 3 replay, 4 ended. */
export const liveStates = [1, 2, 3, 4] as const;
export type LiveState = (typeof liveStates)[number];
export const UPCOMING = 1;
export const LIVE = 2;
export const REPLAY = 3;
export const ENDED = 4;
/** Where it is held (spec §3): 0 the room of this site, 1 another platform, whose address is opened. */
export const OTHER_PLATFORM = 1;
export const THIS_SITE = 0;
export const livePlatforms = [0, 1] as const;
export type LivePlatform = (typeof livePlatforms)[number];
/** The stream of a lesson in the room of this site: none came yet, one comes, it is away for a while, there will be none any more. */
export const streamStates = ['waiting', 'live', 'interrupted', 'ended'] as const;
export type StreamState = (typeof streamStates)[number];
/** What stands of the replay of a lesson in the room of this site: nothing was recorded, or not yet; being made; there; it cannot be made. */
export const replayStates = ['none', 'making', 'ready', 'failed'] as const;
/** Milliseconds before its planned beginning from which a stream begins a lesson by itself; an earlier one is a trial that only teachers see. */
export const LIVE_EARLY = 30 * 60_000;
/** Why an encoder was refused; empty: none was. The sentences of rules/live/codec.ts. */
export const streamFaultKinds = ['', 'videoCodec', 'audioCodec', 'tooMuch', 'damaged', 'changing'] as const;
/** What is warned of in a stream that is taken. */
export const streamWarningKinds = [
  'bFrames',
  'keyFrames',
  'clock',
  'recordingFailed',
  'recordingStopped',
  'recordingSlow',
  'recordingGap',
] as const;
/** Why no encoder can come; empty: one can. `off`: this server takes no streams. */
export const ingestTroubles = [
  '',
  'off',
  'unreached',
  'starting',
  'portTaken',
  'portForbidden',
  'noListening',
  'ended',
  'closed',
] as const;
/** The forms in which the stream of a lesson is watched. */
export const liveForms = ['flv', 'hls'] as const;
export type LiveForm = (typeof liveForms)[number];

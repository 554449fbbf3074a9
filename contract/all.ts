import * as account from './account.ts';
import * as agreement from './agreement.ts';
import type { Call, DataOf, InputOf } from './call.ts';
import * as comment from './comment.ts';
import * as course from './course.ts';
import * as courseMarket from './course-market.ts';
import * as exam from './exam.ts';
import * as examInvigilate from './exam-invigilate.ts';
import * as examPaper from './exam-paper.ts';
import * as examQuality from './exam-quality.ts';
import * as examWrong from './exam-wrong.ts';
import * as feedback from './feedback.ts';
import * as file from './file.ts';
import * as image from './image.ts';
import * as live from './live.ts';
import * as liveStream from './live-stream.ts';
import * as liveTalk from './live-talk.ts';
import * as media from './media.ts';
import * as notice from './notice.ts';
import * as order from './order.ts';
import * as orderDesk from './order-desk.ts';
import * as plan from './plan.ts';
import * as play from './play.ts';
import * as qa from './qa.ts';
import * as qaPromise from './qa-promise.ts';
import type { Socket } from './socket.ts';
import * as university from './university.ts';
import * as upload from './upload.ts';
import * as user from './user.ts';

const features = {
  user,
  account,
  agreement,
  course: { ...course, ...courseMarket },
  exam: { ...exam, ...examInvigilate, ...examPaper, ...examQuality, ...examWrong },
  feedback,
  image,
  file,
  media,
  notice,
  play,
  plan,
  comment,
  live: { ...live, ...liveStream, ...liveTalk },
  qa: { ...qa, ...qaPromise },
  university,
  order: { ...order, ...orderDesk },
  upload,
};

type Exports = (typeof features)[keyof typeof features];
type CallIn<M> = M extends unknown ? Extract<M[keyof M], Call> : never;
/** Every call of the product as a union. */
export type AnyCall = CallIn<Exports>;
/** From a call's name to its declaration: the browser's `send` is typed with it. */
export type Calls = { [C in AnyCall as C['name']]: C };
/** What each call takes, by name: each by itself, since the compiler gives up on what it works out of a union of all calls. */
export type CallInputs = { [N in keyof Calls]: InputOf<Calls[N]> };
/** What each call answers, by name. */
export type CallData = { [N in keyof Calls]: DataOf<Calls[N]> };

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'name' in value && 'refuses' in value;
}

/** Every call with the feature it belongs to, in the order of the declarations. */
export const calls: readonly { feature: string; call: Call }[] = Object.entries(features).flatMap(
  ([feature, declared]) =>
    Object.values(declared)
      .filter(isCall)
      .map((call) => ({ feature, call })),
);

function isSocket(value: unknown): value is Socket {
  return typeof value === 'object' && value !== null && 'message' in value && 'path' in value;
}

/** Every socket with the feature it belongs to. */
export const sockets: readonly { feature: string; socket: Socket }[] = Object.entries(features).flatMap(
  ([feature, declared]) =>
    Object.values(declared)
      .filter(isSocket)
      .map((socket) => ({ feature, socket })),
);

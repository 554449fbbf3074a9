import { join } from 'node:path';
import { redrawer } from '#content/apart/redraw-apart.ts';
import type { Drawing } from '#contract/drawing.ts';
import type { Site } from '#contract/site.ts';
import { accountChores } from './account/chores.ts';
import { exportFiles } from './account/export-files.ts';
import { exportJob } from './account/export-job.ts';
import { accountRoutes } from './account/routes.ts';
import { agreementPart } from './agreement/person-part.ts';
import { agreementRoutes } from './agreement/routes.ts';
import { grownGate, payGate } from './agreement/standing.ts';
import type { Chore } from './chores.ts';
import { commentPart } from './comment/person-part.ts';
import { commentRoutes } from './comment/routes.ts';
import { packAccess } from './course/access.ts';
import { enrolmentStore } from './course/enrolment-store.ts';
import { packFiles } from './course/pack-files.ts';
import { coursePart } from './course/person-part.ts';
import { promotionFiles } from './course/promotion-files.ts';
import { courseRoutes } from './course/routes.ts';
import { keepSearchShelf } from './course/search-shelf.ts';
import { watchDurability } from './db/durability.ts';
import { examChores } from './exam/chores.ts';
import { examCounts, recordFinder } from './exam/finding/count-store.ts';
import { sittingsOf } from './exam/grading/reopen-store.ts';
import { timeLeftKeeper } from './exam/grading/time-left.ts';
import { examParts } from './exam/parts.ts';
import { examPersonParts } from './exam/person-part.ts';
import { examRoutes } from './exam/routes.ts';
import { feedbackFiles } from './feedback/feedback-files.ts';
import { feedbackParts } from './feedback/parts.ts';
import { feedbackPart } from './feedback/person-part.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import { courseFileOwner } from './file/course-file-owner.ts';
import { filePart } from './file/person-part.ts';
import { fileRoutes } from './file/routes.ts';
import { forgetFiles } from './forgotten-files.ts';
import { buildWebServer, type WebServer } from './http/web-server.ts';
import { takeAvatar } from './image/avatar.ts';
import { imageChores } from './image/chores.ts';
import { uploadedFiles } from './image/image-files.ts';
import { imagePart } from './image/person-part.ts';
import { imageRoutes } from './image/routes.ts';
import { type JobWorker, jobWorker } from './job/worker.ts';
import { liveChores } from './live/chores.ts';
import { openHls } from './live/hls.ts';
import { livePart } from './live/person-part.ts';
import { forgetRecordings, mayWatchReplay, readReplayClock, replayJob, withReplays } from './live/replay.ts';
import { openRooms } from './live/rooms.ts';
import { liveRoutes } from './live/routes.ts';
import { srsRoutes } from './live/srs/routes.ts';
import { streamRoutes } from './live/stream-routes.ts';
import { talkChores } from './live/talk/chores.ts';
import { talkPersonParts } from './live/talk/person-part.ts';
import { talkRoutes } from './live/talk/routes.ts';
import { clockOfPlan, talkParts } from './live/talk/talk.ts';
import { serveWatch, type Watchers } from './live/watch.ts';
import { mediaChores } from './media/chores.ts';
import { mediaFiles } from './media/media-files.ts';
import { grantSigner, mediaRoutes } from './media/routes.ts';
import { ffmpegFinder, transcodeJob } from './media/transcode-job.ts';
import { mediaUploads } from './media/upload-kind.ts';
import { noticeChores } from './notice/chores.ts';
import { noticeParts } from './notice/parts.ts';
import { noticePart } from './notice/person-part.ts';
import { noticeRoutes } from './notice/routes.ts';
import { orderChores } from './order/chores.ts';
import { noticesDone } from './order/notify.ts';
import { countSeats, ownsPaidOrder } from './order/order-store.ts';
import { orderParts } from './order/parts.ts';
import { orderPersonParts } from './order/person-part.ts';
import { orderRoutes } from './order/routes.ts';
import type { Parts } from './parts.ts';
import type { PersonPart } from './person-part.ts';
import { planPart } from './plan/person-part.ts';
import { planRoutes } from './plan/routes.ts';
import { lessonFiles } from './play/lesson-files.ts';
import { lessonsOfMedia } from './play/lesson-media.ts';
import { hasTrack } from './play/lesson-media-store.ts';
import { countLessons } from './play/lesson-store.ts';
import { maySeeSlides } from './play/may-see-slides.ts';
import { mayWatch } from './play/may-watch.ts';
import { playParts } from './play/person-part.ts';
import { rightNoter, rightsNotedSince } from './play/right-store.ts';
import { playRoutes } from './play/routes.ts';
import { qaChores } from './qa/chores.ts';
import { heldWordsIn, type QaParts } from './qa/parts.ts';
import { qaPart } from './qa/person-part.ts';
import { promiseChores, servePromise } from './qa/promise.ts';
import { qaFiles } from './qa/qa-files.ts';
import { qaRoutes } from './qa/routes.ts';
import { searchNotes } from './qa/search-notes.ts';
import { keepUniversities } from './university/all-universities.ts';
import { markFiles } from './university/mark-files.ts';
import { universityPart } from './university/person-part.ts';
import { universityRoutes } from './university/routes.ts';
import { uploadChores } from './upload/chores.ts';
import { uploadKeeper } from './upload/keeper.ts';
import { uploadRoutes } from './upload/routes.ts';
import { releaseAll } from './upload/store.ts';
import { takeInJob } from './upload/take-in-job.ts';
import { avatarFiles } from './user/avatar-files.ts';
import { captchaKey } from './user/captcha.ts';
import { userChores } from './user/chores.ts';
import { idNumberHash } from './user/identity.ts';
import { userPart } from './user/person-part.ts';
import { userRoutes } from './user/routes.ts';
import { sessionFinder } from './user/session.ts';

export interface App extends WebServer {
  chores: readonly Chore[];
  /** What runs of the work that people asked for. */
  jobs: Pick<JobWorker, 'idle'>;
  /** What runs of that which messages of payment providers began. */
  notices: { idle(): Promise<void> };
  /** Starts what the first who asks would wait for. */
  warm(): void;
}

interface Options {
  webFolder?: string;
  /** What draws its pages (server/http/drawn-pages.ts). */
  drawing?: Drawing | null;
  site?: Site;
  trustProxies?: number;
  apiDocs?: boolean;
  metrics?: boolean;
  /** Milliseconds in which every call is answered; the web server knows better if left out. */
  answerWithin?: number;
  /** How long connections may take; the web server knows better if left out. */
  patience?: Parameters<typeof buildWebServer>[0]['patience'];
}

/** The only constructor of the product: every part is given, so a test gives its own. */
export async function createApp(parts: Parts, options: Options = {}): Promise<App> {
  const { db } = parts;
  const enrolments = enrolmentStore(db);
  const access = packAccess(db, enrolments);
  const exam = examParts(parts, enrolments, access);
  const hiddenFrom = (userId: number) => exam.gradesFor(db.query, userId).hidden();
  parts.onClockSetBack(timeLeftKeeper(exam));
  const universities = keepUniversities(parts);
  // Pinyin is found out once, before the first request waits for it.
  await universities();
  const shelf = keepSearchShelf(parts);
  await shelf();
  const captcha = await captchaKey(parts);
  const hashId = await idNumberHash(parts);
  const durability = watchDurability(db, parts.log);
  const questions: QaParts = {
    db,
    random: parts.random,
    access,
    gradesFor: exam.gradesFor,
    records: exam.records,
    readContent: exam.readContent,
    searches: searchNotes(db),
  };
  const fileOwners = [
    markFiles(universities),
    packFiles(db, recordFinder(db.query)),
    promotionFiles(db),
    mediaFiles(db),
    avatarFiles(db),
    feedbackFiles(db),
    uploadedFiles(db),
    lessonFiles(db),
    courseFileOwner(db),
    qaFiles(questions),
    exportFiles(db, parts.clock, hiddenFrom),
  ];
  db.hearSaid(({ topic, message }) => void parts.bus.publish(topic, message));
  const pictures = redrawer();
  const sign = await grantSigner(parts);
  const notedSince = await rightsNotedSince(db.query, parts.clock());
  const noteRight = rightNoter(db);
  const mayPay = payGate(db.query);
  const orders = orderParts({ ...parts, mayPay }, parts.metrics);
  const notices = noticeParts(parts, hiddenFrom);
  const talk = talkParts(parts, {
    heldWordsIn: (text) => heldWordsIn(db.query, text),
    replayClockOf: async (row) => (await readReplayClock(db.query, row.id)) ?? clockOfPlan(row),
  });
  // In this order they stand in the copy of a person's data.
  const personParts: readonly PersonPart[] = [
    userPart(parts),
    agreementPart(db),
    coursePart(db),
    ...playParts(db),
    ...examPersonParts(exam),
    qaPart(db),
    commentPart(db),
    livePart(db),
    ...talkPersonParts(db),
    feedbackPart(db),
    imagePart(db),
    filePart(db),
    ...orderPersonParts(orders),
    noticePart(notices),
    planPart(db),
    universityPart(db),
  ];
  const usedMedia = withReplays(lessonsOfMedia);
  const ffmpegOfMachine = ffmpegFinder(parts.ffmpegPath);
  const uploadKinds = [mediaUploads(parts, ffmpegOfMachine)];
  // Alone on its database it knows that whoever wrote to an upload is gone; elsewhere that shows after seconds.
  if (db.kind === 'sqlite') await releaseAll(db.query);
  const keeper = uploadKeeper(parts, uploadKinds);
  const rooms = await openRooms(parts);
  const recordings = parts.srs ? parts.srs.recordings : (parts.rtmp?.folder ?? null);
  const { ingest } = rooms;
  const hls =
    ingest && (await openHls({ ...parts, ingest, ffmpegOfMachine, folder: join(parts.workFolder, 'live-hls') }));
  let watchers: Watchers | null = null;
  const jobs = jobWorker(parts, [
    transcodeJob(parts, ffmpegOfMachine, lessonsOfMedia),
    takeInJob(parts, uploadKinds),
    exportJob(parts, personParts, { hiddenFrom, sittingsOf: (userId) => sittingsOf(db.query, userId) }),
    // Recordings are where their stream came in.
    ...(recordings === null ? [] : [replayJob(parts, recordings, (stream) => rooms.facts(stream) !== null)]),
  ]);
  const server = await buildWebServer({
    parts,
    durability,
    findSession: sessionFinder(db, parts.demo),
    mayOpenPack: access.mayOpen,
    ...options,
    fileOwners,
    routes: (serve, serveSocket, serveCallback, serveBytes, serveResumable) => {
      userRoutes(serve, parts, {
        ...{ key: captcha, hashId, takeAvatar },
        ownsOrder: (userId, typed) => ownsPaidOrder(db.query, userId, typed),
      });
      accountRoutes(serve, parts, { key: captcha, hashId, mayTurnGrown: grownGate(db.query), personParts, hiddenFrom });
      agreementRoutes(serve, parts);
      const lessonsByPack = (packIds?: readonly number[]) => countLessons(db.query, packIds);
      courseRoutes(
        serve,
        parts,
        { query: db.query, counts: { ...examCounts(db.query), lessonsByPack }, shelf },
        {
          payable: () => orders.channels().length > 0,
          seatsTaken: (packId) => countSeats(db.query, packId),
          mayJoin: mayPay,
        },
      );
      orderRoutes(serve, serveCallback, orders);
      examRoutes(serve, serveSocket, exam);
      feedbackRoutes(serve, feedbackParts(parts, exam.records, exam.readContent, exam.gradesFor));
      playRoutes(serve, parts, access, enrolments, notedSince, exam.setFormulas);
      planRoutes(serve, exam);
      fileRoutes(serve, serveBytes, parts, {
        access,
        maySeeSlides: (userId, packId, fileId) => maySeeSlides({ db, access }, userId, packId, fileId),
      });
      liveRoutes(serve, parts);
      watchers = serveWatch(serve, serveSocket, serveBytes, parts, { rooms, hls, sign });
      streamRoutes(serve, parts, { rooms, watchers });
      if (rooms.srs) srsRoutes(serveCallback, rooms.srs);
      talkRoutes(serve, serveSocket, talk);
      commentRoutes(serve, {
        ...{ db, random: parts.random, access },
        heldWordsIn: (text) => heldWordsIn(db.query, text),
      });
      qaRoutes(serve, questions);
      mediaRoutes(serve, serveBytes, parts, {
        mayWatch: async (userId, mediaId) => {
          const asLesson = await mayWatch({ db, access }, userId, mediaId);
          if (asLesson.ok) return asLesson;
          const asReplay = await mayWatchReplay(db.query, userId, mediaId);
          return asReplay === null || (!asReplay.ok && asReplay.why === 'notFound') ? asLesson : asReplay;
        },
        // Who cannot be noted plays all the same: what they say of the lesson first begins their clock.
        onRight: (right) =>
          noteRight(right).catch((error: unknown) => parts.log.warn({ err: error }, 'a right to play was not noted')),
        hasSubtitles: (mediaId, file) => hasTrack(db.query, mediaId, file),
        sign,
        lessons: usedMedia,
      });
      uploadRoutes(serve, serveResumable, parts, keeper);
      noticeRoutes(serve, serveSocket, notices);
      imageRoutes(serve, parts, pictures);
      servePromise(serve, parts);
      universityRoutes(serve, parts, universities);
    },
  });
  return {
    ...server,
    warm: () => void exam.setFormulas(['<p>\\(x\\)</p>']),
    chores: [
      ...examChores(exam),
      ...userChores(parts),
      ...accountChores(parts, personParts),
      ...noticeChores(notices),
      ...liveChores(parts),
      ...rooms.chores,
      ...((watchers as Watchers | null)?.chores ?? []),
      ...(recordings === null ? [] : [forgetRecordings(parts, recordings)]),
      ...talkChores(talk),
      ...imageChores(parts),
      ...promiseChores(parts),
      ...qaChores(questions),
      ...orderChores(orders),
      ...durability.chores,
      ...jobs.chores,
      ...mediaChores(parts, usedMedia),
      ...uploadChores(parts),
      forgetFiles(parts.files, fileOwners, parts.log),
    ],
    jobs,
    notices: { idle: () => noticesDone(orders) },
    close: async () => {
      await jobs.stop();
      await hls?.close();
      await rooms.close();
      await server.close();
      // Who was in a live lesson until now has left it.
      await talk.hub.keepAttendance(parts.clock()).catch((error) => parts.log.warn({ err: error }, 'live attendance'));
      pictures.close();
      await noticesDone(orders);
    },
  };
}

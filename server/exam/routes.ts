import type { Serve } from '#server/http/serve.ts';
import type { ServeSocket } from '#server/http/socket.ts';
import { findingRoutes } from './finding/routes.ts';
import { gradingRoutes } from './grading/routes.ts';
import { invigilatingRoutes } from './invigilating/routes.ts';
import type { ExamParts } from './parts.ts';
import { qualityRoutes } from './quality/routes.ts';
import { resultRoutes } from './results/routes.ts';
import { sittingRoutes } from './sitting/routes.ts';
import { wrongRoutes } from './wrong/routes.ts';

/** Binds the calls of contract/exam.ts and the other exam-….ts, each in the room of what somebody does with it. */
export function examRoutes(serve: Serve, serveSocket: ServeSocket, exam: ExamParts): void {
  findingRoutes(serve, exam);
  sittingRoutes(serve, serveSocket, exam);
  gradingRoutes(serve, exam);
  invigilatingRoutes(serve, exam);
  resultRoutes(serve, exam);
  wrongRoutes(serve, exam);
  qualityRoutes(serve, exam);
}

import { expect, it } from 'vitest';
import { chunksOf } from './chunks.ts';

/** A site in small: what each module imports; `late` ones come when they are asked for. */
const site = {
  '/web/app/main.tsx': ['/react.js', '/web/app/router.tsx'],
  '/web/app/router.tsx': ['/web/app/main.tsx'],
  '/react.js': [],
  '/web/app/Shell.tsx': ['/menu.ts', '/ui/drafts.ts', '/ui/small.ts', '/react.js'],
  '/web/pages/HomePage.tsx': ['/ui/small.ts', '/home.ts'],
  '/web/pages/QaPage.tsx': ['/ui/RichText.tsx'],
  '/web/pages/ExamPage.tsx': ['/exam.ts', '/ui/RichText.tsx', '/ui/small.ts', '/web/app/main.tsx'],
  '/web/pages/ExamReviewPage.tsx': ['/exam.ts', '/review.ts'],
  '/web/pages/ExamOverlays.tsx': ['/exam.ts', '/ui/drafts.ts', '/dialogs.ts'],
  '/ui/RichText.tsx': ['/purify.js', '/ui/small.ts'],
  ...{ '/ui/small.ts': [], '/ui/drafts.ts': [], '/purify.js': [], '/exam.ts': ['/rule.ts'], '/rule.ts': ['/exam.ts'] },
  ...{ '/review.ts': [], '/dialogs.ts': [], '/menu.ts': [], '/home.ts': [] },
};
const late = /\/web\/(?:pages\/\w+|app\/Shell)\.tsx$/;
const chunks = chunksOf(new Map(Object.entries(site).map(([id, imports]) => [id, { imports, isLate: late.test(id) }])));

it.each([
  ['what every page needs, in a circle too', ['/web/app/main.tsx', '/web/app/router.tsx', '/react.js'], 'base'],
  ['a small part that pages without questions have too', ['/ui/small.ts'], 'base'],
  ['what shows texts, and what only that needs', ['/ui/RichText.tsx', '/purify.js'], 'reading'],
  ['the screen, which the review shares', ['/web/pages/ExamPage.tsx', '/exam.ts', '/rule.ts'], 'sitting'],
  ['what the frame of the site shares with what opens over a question', ['/ui/drafts.ts'], 'dialog'],
  ['the frame of the site', ['/web/app/Shell.tsx', '/menu.ts'], 'frame'],
  ['what only one other page needs', ['/home.ts', '/review.ts', '/dialogs.ts', '/web/pages/HomePage.tsx'], undefined],
])('puts %s where no page loads what it does not show', (_what, ids, chunk) => {
  expect(ids.map((id) => chunks.get(id))).toEqual(ids.map(() => chunk));
});

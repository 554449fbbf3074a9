import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import '#ui/base.css';
import { speakWith } from '#ui/words.ts';
import { restoreQuestionSize } from '#web/lib/display.ts';
import { readDrawn, rememberedLook, takeOver, tellLook } from '#web/lib/drawn.ts';
import { hearExamsBegin } from '#web/lib/exam-began.ts';
import { awaitFirstDrawing, beginFirstDrawing } from '#web/lib/first-drawing.ts';
import { keepClock } from '#web/lib/keep-clock.ts';
import { askWho, leaveToWhoComes } from '#web/lib/me.ts';
import { currentLanguage, restoreLanguage, t } from '#web/lib/t.ts';
import { App } from './App.tsx';
import { drawBare } from './bare-frame.ts';
import { client } from './client.ts';
import { askForCode } from './router.tsx';

const drawn = readDrawn();
const look = rememberedLook();
tellLook(look);
if (drawn !== null) awaitFirstDrawing();
// On their way while React draws for the first time, and while the words of the language come.
const code = askForCode(location.pathname);
if (!drawn?.answers) askWho(client);
speakWith(t);
restoreQuestionSize();
// Not awaited here: code that imports this file would wait for it, and it for that code.
const words = restoreLanguage();
// What stands there stays until all that takes its place has come.
void (drawn === null ? words : Promise.all([words, code])).then(show);

function show(): void {
  keepClock();
  hearExamsBegin(client);
  leaveToWhoComes(client);
  const root = document.getElementById('root');
  if (root === null) return;
  const app = <App client={client} inAddresses={(children) => <BrowserRouter>{children}</BrowserRouter>} />;
  if (drawn !== null) {
    takeOver(client, drawn);
    beginFirstDrawing();
  }
  // Drawn for another look than this browser remembers, as at its first visit since: drawn anew.
  if (drawn === null || drawn.language !== currentLanguage() || drawn.theme !== look.theme)
    createRoot(root).render(app);
  else {
    drawBare(drawn.answers === null);
    hydrateRoot(root, app);
  }
}

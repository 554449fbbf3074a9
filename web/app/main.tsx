import { createRoot } from 'react-dom/client';
import '#ui/base.css';
import { speakWith } from '#ui/words.ts';
import { restoreQuestionSize } from '#web/lib/display.ts';
import { keepClock } from '#web/lib/keep-clock.ts';
import { askWho } from '#web/lib/me.ts';
import { restoreLanguage, t } from '#web/lib/t.ts';
import { App } from './App.tsx';
import { client } from './client.ts';
import { askForCode } from './router.tsx';

// On their way while React draws for the first time, and while the words of the language come.
askForCode(location.pathname);
askWho(client);
speakWith(t);
restoreQuestionSize();
await restoreLanguage();
keepClock();

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);

import { createRoot } from 'react-dom/client';
import '#ui/base.css';
import { speakWith } from '#ui/words.ts';
import { restoreQuestionSize } from '#web/lib/display.ts';
import { keepClock } from '#web/lib/keep-clock.ts';
import { restoreLanguage, t } from '#web/lib/t.ts';
import { App } from './App.tsx';

speakWith(t);
restoreQuestionSize();
await restoreLanguage();
keepClock();

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);

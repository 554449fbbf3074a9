import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { leaf, nodeState } from '#contract/values/play.ts';
import type { PlayNode } from '#rules/play/directory.ts';
import { Directory } from './Directory.tsx';

const text: PlayNode = {
  ...{ id: 1, firstVideoId: 1, firstCourseId: 1, name: '图文', level: 1, leaf: leaf.playable, childes: [], isShow: 1 },
  ...{ kind: 'text', videoState: 0, videoResourceId: null, duration: 0, certState: 1, trial: false },
  ...{ status: 1, lockStatus: 1, nodeState: nodeState.notStarted },
};
const film: PlayNode = { ...text, kind: 'video', duration: 65 };
const locked = { status: 0, lockStatus: 0 };

it.each([
  { what: 'a text', node: text, lines: ['图文', '未学习'] },
  { what: 'a locked text', node: { ...text, ...locked }, lines: ['图文 未解锁'] },
  { what: 'a text on trial', node: { ...text, trial: true }, trials: true, lines: ['试听图文'] },
  { what: 'a film', node: film, lines: ['图文', '未学习01:05'] },
  { what: 'a locked film', node: { ...film, ...locked }, lines: ['图文 未解锁', '01:05'] },
  { what: 'a film that is prepared', node: { ...film, duration: 0 }, lines: ['图文', '未学习00:00'] },
])('the row of $what has a second line where there is something to say', ({ node, trials = false, lines }) => {
  const html = renderToStaticMarkup(
    <Directory
      list={[node]}
      courses={[{ courseId: 1, name: '课程' }]}
      currentId={null}
      openIds={new Set()}
      onToggle={() => undefined}
      onChoose={() => undefined}
      trials={trials}
    />,
  );
  const shown = html.split(/<span class="[^"]*(?:name|meta)[^"]*">/).slice(1);
  expect(shown.map((line) => line.replace(/<[^>]*>/g, '').trim())).toEqual(lines);
});

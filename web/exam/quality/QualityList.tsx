import { Link } from 'react-router';
import { formulaLine } from '#ui/formula-line.ts';
import { RichText } from '#ui/RichText.tsx';
import rows from '#ui/rows.module.css';
import { plainText } from '#ui/safe-html.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { typeNames } from '../paper.ts';
import { QualityFacts, QualityReasons } from './QualityFacts.tsx';
import classes from './QualityList.module.css';

type Line = Data<'GET /app/question/quality_list'>['list'][number];

/** Questions under each other with how they fare; each leads to its own page. */
export function QualityList({ list, to }: { list: readonly Line[]; to: (questionId: number) => string }) {
  return (
    <ul className={rows.rows}>
      {list.map((line) => (
        <li key={line.questionId}>
          <Link to={to(line.questionId)} className={classes.row}>
            <RichText html={formulaLine(plainText(line.topic), 120)} className={classes.topic} zoom={false} />
            <span className={rows.facts}>
              <span>{t(typeNames[line.questionTypesId] ?? '')}</span>
              <span>{line.chapterName}</span>
            </span>
            <QualityReasons reasons={line.reasons} reports={line.reports} gradeMode={line.gradeMode} />
            <span className={classes.figures}>
              <QualityFacts {...line} />
              {line.letters.length > 0 && line.answered > 0 && <Distribution letters={line.letters} />}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** How many chose each letter; the key is marked. */
function Distribution({ letters }: Pick<Line, 'letters'>) {
  return (
    <span className={classes.letters}>
      {letters.map(({ letter, right, all }) => (
        <span key={letter} data-right={right || undefined}>
          <span aria-hidden>{letter}</span>
          <span className="unseen">
            {right ? t('{letter}（正确答案）', { letter }) : t('选项 {letter}', { letter })}
          </span>
          {all}
        </span>
      ))}
    </span>
  );
}

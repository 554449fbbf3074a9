import { useState } from 'react';
import { Pills } from '#ui/Pills.tsx';
import rows from '#ui/rows.module.css';
import { typeNames } from '#web/exam/paper.ts';
import { WholeQuestion } from '#web/exam/question/WholeQuestion.tsx';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './ReportedQuestion.module.css';

type Report = Data<'GET /app/feedback/report'>;

/** The question of a report with its key: as its student saw it, and as it stands now where that differs. */
export function ReportedQuestion({ report }: { report: Report }) {
  const [which, setWhich] = useState<'seen' | 'now'>('seen');
  const question = which === 'now' ? (report.now ?? report.question) : report.question;
  if (question === null) return <p className={classes.none}>{t('这条反馈没有指明题目。')}</p>;
  const type = question.questionTypesId;
  return (
    <>
      {report.now !== null && (
        <div className={classes.corrected}>
          <p>{t('这道题后来改过。')}</p>
          <Pills
            label={t('题目的版本')}
            value={which}
            choices={[
              ['seen', t('学员看到的')],
              ['now', t('现在的')],
            ]}
            onChoose={setWhich}
          />
        </div>
      )}
      <p className={rows.facts}>
        <span>{t(typeNames[type] ?? '')}</span>
        <span>{t('{score} 分', { score: question.score })}</span>
        <span>{report.packName}</span>
        {report.examName !== null && <span>{report.examName}</span>}
        {report.questionNumber !== null && <span>{t('第 {number} 题', { number: report.questionNumber })}</span>}
      </p>
      <WholeQuestion question={question} cases={report.cases} />
    </>
  );
}

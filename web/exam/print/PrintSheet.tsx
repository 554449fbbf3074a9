import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, type To } from 'react-router';
import { RichText } from '#ui/RichText.tsx';
import { t } from '#web/lib/t.ts';
import { byLetters, type CaseMaterial, lettersOf, typeNames } from '../paper.ts';
import { ScoringPoints } from '../question/ScoringPoints.tsx';
import { formatScore } from '../score.ts';
import { fitWide } from './fit-wide.ts';
import classes from './PrintSheet.module.css';
import {
  areShort,
  cssString,
  linesFor,
  type PrintedQuestion,
  type PrintLine,
  printLines,
  saysPoints,
} from './print-lines.ts';

/** The page around a sheet. */
export function PrintPage({ children }: { children: ReactNode }) {
  return <main className={classes.sheet}>{children}</main>;
}

interface ToolsProps {
  back: To;
  /** The sheet is there. */
  ready: boolean;
  /** Whether the answers stand at the end; null: they may not be seen, and `why` says so. */
  answers: boolean | null;
  why?: string | undefined;
  onAnswers: (on: boolean) => void;
}

/** What is done with a sheet; it is not printed itself. */
export function PrintTools({ back, ready, answers, why, onAnswers }: ToolsProps) {
  return (
    <div className={classes.tools}>
      <Button component={Link} to={back} variant="default">
        {t('返回')}
      </Button>
      {answers === null ? (
        <span className={classes.why}>{why}</span>
      ) : (
        <label className={classes.choice}>
          <input type="checkbox" checked={answers} onChange={(event) => onAnswers(event.currentTarget.checked)} />
          {t('在末尾附答案与解析')}
        </label>
      )}
      <Button onClick={() => window.print()} disabled={!ready}>
        {t('打印')}
      </Button>
    </div>
  );
}

interface SheetProps {
  title: string;
  /** Short facts under the title. */
  facts: readonly string[];
  questions: readonly PrintedQuestion[];
  cases: readonly CaseMaterial[];
  /** The parts of a paper; null: it is a list, without parts and points. */
  sections: readonly { title: string; questionIds: readonly number[] }[] | null;
  answers: boolean;
}

/** Questions on A4 in two columns, with answers and analysis at the end or without; its name stands on each page. */
export function PrintSheet({ title, facts, questions, cases, sections, answers }: SheetProps) {
  usePageHead(title);
  const sheet = useRef<HTMLElement>(null);
  useEffect(() => (sheet.current ? fitWide(sheet.current) : undefined), []);
  const lines = printLines(questions, cases, sections);
  return (
    <article ref={sheet} className={classes.paper}>
      <h1>{title}</h1>
      <p className={classes.about}>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {sections !== null && (
        <p className={classes.lines} aria-hidden>
          <span>{t('姓名')}</span>
          <span>{t('得分')}</span>
        </p>
      )}
      <ol className={`${classes.columns} ${classes.questions}`}>
        {lines.map((line) => (
          <Printed key={line.question.questionId} line={line} points={sections !== null} />
        ))}
      </ol>
      {answers && <Answers lines={lines} />}
    </article>
  );
}

function Printed({ line, points }: { line: PrintLine; points: boolean }) {
  const { question, note, number, heading, material } = line;
  const { questionTypesId: type, options, score } = question;
  return (
    <>
      {heading && (
        <li>
          <h2 className={classes.heading}>
            {saysPoints(heading.title)
              ? heading.title
              : t('{part}（{count} 题，共 {score} 分）', {
                  part:
                    heading.title !== ''
                      ? heading.title
                      : heading.type === 0
                        ? t('材料题')
                        : t(typeNames[heading.type] ?? ''),
                  count: heading.count,
                  score: formatScore(heading.score),
                })}
          </h2>
        </li>
      )}
      {material !== null && (
        <li data-item>
          <RichText html={material} className={classes.material} zoom={false} />
        </li>
      )}
      <li className={classes.question} data-item>
        <span className={classes.number}>{number}.</span>
        <p className={classes.type}>
          <span>{t(typeNames[type] ?? '')}</span>
          {/* Only a void question (作废) gives no points. */}
          {points && <span>{score === 0 ? t('已作废') : t('{count} 分', { count: formatScore(score) })}</span>}
        </p>
        <RichText html={question.topic} zoom={false} />
        {byLetters(type) ? (
          <ul className={classes.options} data-short={areShort(options) || undefined}>
            {lettersOf(options).map((letter) => (
              <li key={letter}>
                <b>{letter}.</b>
                <RichText html={options[letter] ?? ''} zoom={false} />
              </li>
            ))}
          </ul>
        ) : (
          <div className={classes.blank} style={{ '--lines': linesFor(score) } as React.CSSProperties} />
        )}
        {note !== '' && <p className={classes.note}>{t('笔记：{note}', { note })}</p>}
      </li>
    </>
  );
}

function Answers({ lines }: { lines: readonly PrintLine[] }) {
  return (
    <section className={classes.answers}>
      <h2>{t('答案与解析')}</h2>
      <ol className={classes.columns}>
        {lines.map(({ question, withheld, number }) => (
          <li key={question.questionId} data-item>
            <span className={classes.number}>{number}.</span>
            {withheld ? (
              <p>{t('这道题所在的试卷交卷后，才能查看答案')}</p>
            ) : (
              <>
                {byLetters(question.questionTypesId) ? (
                  <p className={classes.key}>{question.rightAnswer}</p>
                ) : (
                  <RichText html={question.rightAnswer} zoom={false} />
                )}
                {question.points.length > 0 && (
                  <div className={classes.points}>
                    <ScoringPoints points={question.points} />
                  </div>
                )}
                {question.answerAnalysis !== '' && (
                  <RichText html={question.answerAnalysis} className={classes.analysis} zoom={false} />
                )}
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/**
 * The name of the paper and the number of the page, in the margin of each page. Only a style sheet of the document can say that
 * (CSS margin boxes); a browser that does not know them prints the title on the first page alone.
 */
function usePageHead(title: string): void {
  const [sheet] = useState(() => (typeof CSSStyleSheet === 'function' ? new CSSStyleSheet() : null));
  useEffect(() => {
    if (sheet === null || !('adoptedStyleSheets' in document)) return;
    const site = cssString(t('砺学'));
    const look = 'font: 9pt system-ui, sans-serif; color: #5b6472;';
    sheet.replaceSync(
      `@page { @top-left { content: ${cssString(title)}; ${look} } @top-right { content: ${site}; ${look} } @bottom-center { content: counter(page) " / " counter(pages); ${look} } }`,
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [sheet, title]);
}

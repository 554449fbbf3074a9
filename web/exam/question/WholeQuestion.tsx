import { languageOf } from '#rules/rich-text/language.ts';
import { RichText } from '#ui/RichText.tsx';
import { currentLanguage, t } from '#web/lib/t.ts';
import { byLetters, type KeyedQuestion } from '../paper.ts';
import { AnswerBlock } from './AnswerBlock.tsx';
import { Options } from './Options.tsx';
import classes from './WholeQuestion.module.css';

interface Props {
  question: KeyedQuestion;
  /** Its material, the outer one first. */
  cases: readonly { id: number; title: string; text: string }[];
}

/** A question as teachers look at it: material, topic, options with the key, answer and analysis. */
export function WholeQuestion({ question, cases }: Props) {
  const type = question.questionTypesId;
  return (
    <>
      {cases.map((material) => (
        <details key={material.id} className={classes.case}>
          <summary lang={languageOf(material.title)}>{material.title || t('案例')}</summary>
          <RichText html={material.text} picture={t('材料的图片')} />
        </details>
      ))}
      <RichText html={question.topic} className={classes.topic} picture={t('题目的图片')} />
      {byLetters(type) && (
        <Options
          // It is drawn once for the same question: another language draws it anew.
          key={currentLanguage()}
          type={type}
          options={question.options}
          chosen=""
          right={question.rightAnswer}
          label={t('选项')}
        />
      )}
      <AnswerBlock question={question} answer="" />
    </>
  );
}

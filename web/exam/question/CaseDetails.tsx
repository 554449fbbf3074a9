import { languageOf } from '#rules/rich-text/language.ts';
import { RichText } from '#ui/RichText.tsx';
import { t } from '#web/lib/t.ts';
import type { CaseMaterial } from '../paper.ts';
import classes from './CaseDetails.module.css';

/** The material of a case above its question in a list, folded until somebody opens it; null: it is gone, which is said. */
export function CaseDetails({ material }: { material: CaseMaterial | null }) {
  return (
    <details className={classes.case}>
      <summary lang={material ? languageOf(material.title) : undefined}>{material?.title || t('案例')}</summary>
      {material ? <RichText html={material.text} picture={t('材料的图片')} /> : <p>{t('暂无案例')}</p>}
    </details>
  );
}

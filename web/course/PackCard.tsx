import { Link } from 'react-router';
import { languageOf } from '#rules/rich-text/language.ts';
import over from '#ui/card-link.module.css';
import { formatCount } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { formatPrice } from '#web/lib/yuan.ts';
import { ExamDays } from './ExamDays.tsx';
import classes from './PackCard.module.css';
import { PackCover } from './PackCover.tsx';
import { PackProgress } from './PackProgress.tsx';

type Pack = Data<'GET /api/common/course_list'>['list'][number];

/**
 * One pack in a list: the whole card leads to its page. On the shelf of one's own packs (`mine`) the two most used ways to
 * practice are one press away.
 */
export function PackCard({ pack, mine, heading: Heading }: { pack: Pack; mine: boolean; heading: 'h2' | 'h3' }) {
  return (
    <article className={`${over.card} ${classes.card}`}>
      <div className={classes.top}>
        <PackCover packId={pack.packId} name={pack.packageName} />
        <div className={classes.body}>
          {pack.categoryName !== '' && !mine && (
            <p className={classes.category} lang="zh-CN">
              {pack.categoryName}
            </p>
          )}
          <Heading className={classes.name}>
            <Link to={paths.course(pack.packId)} className={over.link} lang={languageOf(pack.packageName)}>
              {pack.packageName}
            </Link>
          </Heading>
          <p className={classes.summary} lang={languageOf(pack.summary)}>
            {pack.summary}
          </p>
          {pack.buyState === 1 ? (
            <PackProgress done={pack.doneCount} total={pack.questionCount} />
          ) : (
            <p className={classes.counts}>{countsOf(pack)}</p>
          )}
          <div className={classes.foot}>
            {pack.buyState === 1 && !mine && <span className={classes.joined}>{t('已报名')}</span>}
            {pack.buyState === 0 && <Price price={pack.price} original={pack.originalPrice} />}
            <ExamDays examDate={pack.examDate} />
          </div>
        </div>
      </div>
      {mine && (
        <div className={classes.quick}>
          <Link to={paths.chapterExam({ packId: pack.packId, type: 1 })}>{t('章节练习')}</Link>
          <Link to={paths.examCenter({ packId: pack.packId, kind: 'mock' })}>{t('模拟考试')}</Link>
        </div>
      )}
    </article>
  );
}

/** What is in a pack, in numbers; what it has none of is left out. */
function countsOf({ lessonCount, questionCount, examCount }: Pack): string {
  return [
    lessonCount > 0 && t('{n} 课时', { n: formatCount(lessonCount) }),
    questionCount > 0 && t('{n} 题', { n: formatCount(questionCount) }),
    examCount > 0 && t('{n} 套试卷', { n: formatCount(examCount) }),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

function Price({ price, original }: { price: number | null; original: number | null }) {
  if (price === null) return <span className={classes.free}>{t('免费')}</span>;
  return (
    <span className={classes.price}>
      {formatPrice(price)}
      {original !== null && (
        <s>
          <span className="unseen">{t('原价')}</span>
          {formatPrice(original)}
        </s>
      )}
    </span>
  );
}

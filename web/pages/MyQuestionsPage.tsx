import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useMore } from '#web/lib/useMore.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { QuestionList } from '#web/qa/QuestionList.tsx';
import { PackChoice } from './PackChoice.tsx';
import page from './page.module.css';

const PAGE = 10;

/** 我的提问: what one asked and reported in a pack, with the answers. */
export default function MyQuestionsPage() {
  useTitle(t('我的提问'));
  return (
    <div className={page.page}>
      <h1 className={page.title}>{t('我的提问')}</h1>
      <p className={page.lead}>
        {t('您的提问、纠错和建议，以及老师的回答。')} <Link to={paths.qa()}>{t('看大家的提问')}</Link>
      </p>
      <div className={page.section}>
        <PackChoice none={t('报名课程后，可以在课程学习页提问。')}>
          {(packId) => <Questions packId={packId} />}
        </PackChoice>
      </div>
    </div>
  );
}

function Questions({ packId }: { packId: number }) {
  const questions = useMore('GET /app/feedback/list', { packId, timeSortType: 1, myState: 1, pageSize: PAGE });
  return <QuestionList questions={questions} none={t('您在这门课程里还没有提问。在课程学习页的“答疑”里可以提问。')} />;
}

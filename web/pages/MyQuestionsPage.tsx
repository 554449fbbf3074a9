import { useState } from 'react';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useMore } from '#web/lib/useMore.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { QuestionList } from '#web/qa/QuestionList.tsx';
import { PackChoice } from './PackChoice.tsx';
import page from './page.module.css';

const PAGE = 10;

/** 我的提问: what one asked and reported in a pack, at first in the one where one asked last, with the answers (docs/decisions/038-questions-and-answers.md). */
export default function MyQuestionsPage() {
  useTitle(t('我的提问'));
  const info = useCall('GET /app/qa/info_student', {}, { staleTime: 0 });
  return (
    <div className={page.page}>
      <h1 className={page.title}>{t('我的提问')}</h1>
      <p className={page.lead}>
        {t('您的提问、纠错和建议，以及老师的回答。')} <Link to={paths.qa()}>{t('看大家的提问')}</Link>
      </p>
      <div className={page.section}>
        {/* What is remembered may be from before the newest question. */}
        <CallState
          call={{ ...info, data: info.isFetchedAfterMount ? info.data : undefined }}
          skeleton={<RowBones count={3} height={120} />}
        >
          {({ lastPackId }) => <Packs first={lastPackId ?? undefined} />}
        </CallState>
      </div>
    </div>
  );
}

/** @param first where one asked last, as it was when the page opened: who deletes a question stays where it was */
function Packs({ first }: { first: number | undefined }) {
  const [begun] = useState(first);
  return (
    <PackChoice first={begun} none={t('报名课程后，可以在课程学习页提问。')}>
      {(packId) => <Questions packId={packId} />}
    </PackChoice>
  );
}

function Questions({ packId }: { packId: number }) {
  const questions = useMore('GET /app/feedback/list', { packId, timeSortType: 1, myState: 1, pageSize: PAGE });
  return <QuestionList questions={questions} none={t('您在这门课程里还没有提问。在课程学习页的“答疑”里可以提问。')} />;
}

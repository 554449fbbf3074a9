import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import page from './page.module.css';
import classes from './QaRulesPage.module.css';

/** 提问答疑规范: what a question should be like, when it is answered, what is not shown (spec §2 Q&A screens). */
export default function QaRulesPage() {
  useTitle(t('提问答疑规范'));
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t('提问答疑规范')}</h1>
      <div className={classes.rules}>
        <h2>{t('怎样问')}</h2>
        <ol>
          <li>{t('先搜索：同样的问题可能已经有答案，点“同问”可以一起等老师回答。')}</li>
          <li>{t('一次只问一个问题，写清楚卡在哪一步、自己是怎么想的。')}</li>
          <li>
            {t(
              '问视频里的内容，请在课程学习页提问，老师会看到您看到了哪一秒；问试题，请在解析页提问，老师会看到题目。',
            )}
          </li>
          <li>{t('文字最多 500 字，可以附 3 张图片。手写过程请拍清楚、拍正。')}</li>
        </ol>
        <h2>{t('什么时候回复')}</h2>
        <ol>
          <li>{t('工作日 18:00 前的提问，预计当天 18:30 前回复；之后的提问，预计下一个工作日 18:30 前回复。')}</li>
          <li>{t('法定节假日期间答疑暂停，恢复日期会写在提问框下面。')}</li>
          <li>{t('老师回答后，您会收到通知。还不明白，可以在回答后追问。')}</li>
        </ol>
        <h2>{t('谁能看到')}</h2>
        <ol>
          <li>{t('教学答疑同课程的同学都能看到，请不要写手机号、身份证号等个人信息。')}</li>
          <li>{t('纠错和建议只有您和老师能看到。')}</li>
          <li>{t('广告、辱骂和与学习无关的内容会被隐藏。')}</li>
          <li>{t('正在考试的同学看不到与这次考试有关的提问和回答。')}</li>
        </ol>
      </div>
    </div>
  );
}

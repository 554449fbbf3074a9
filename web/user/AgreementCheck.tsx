import { Fragment } from 'react';
import '#ui/form.css';
import { type AgreementDocument, agreementNames } from '#contract/values/agreement.ts';
import { paths } from '#web/lib/paths.ts';
import { t, tIn } from '#web/lib/t.ts';
import classes from './AgreementCheck.module.css';
import { TickField, type TickProps } from './TickField.tsx';

interface Props {
  /** The documents that are agreed to. */
  documents: readonly AgreementDocument[];
  agree: TickProps;
  minor: TickProps;
}

/** 我已阅读并同意 with its documents, each in a tab of its own, and whether one is under 14: never ticked ahead. */
export function AgreementCheck({ documents, agree, minor }: Props) {
  return (
    <div className={classes.checks}>
      <TickField
        label={
          <>
            {t('我已阅读并同意')}
            <AgreementLinks documents={documents} />
          </>
        }
        field={agree}
      />
      <TickField label={t('我未满 14 周岁（需要监护人同意）')} field={minor} />
    </div>
  );
}

/** The documents by their names. */
export function AgreementLinks({ documents }: Pick<Props, 'documents'>) {
  return documents.map((id, at) => (
    <Fragment key={id}>
      {at > 0 && (at === documents.length - 1 ? tIn('last', '、') : t('、'))}
      <a href={paths.agreement(id)} target="_blank" rel="noopener">
        {t('《{name}》', { name: t(agreementNames[id]) })}
      </a>
    </Fragment>
  ));
}

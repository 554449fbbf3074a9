import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import '#ui/form.css';
import { checkNickname } from '#rules/user/nickname.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { type Me, useSetMe } from '#web/lib/me.ts';
import { CallError } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './form.module.css';

/** Changes the nickname. */
export function NicknameForm({ me }: { me: Me }) {
  const [nickname, setNickname] = useState(me.nickname);
  const [error, setError] = useState<string | null>(null);
  const setMe = useSetMe();
  const update = useSend('POST /api/user/update');
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!checkNickname(nickname).ok) {
      setError(t('昵称为 1 到 20 个字'));
      return;
    }
    try {
      const { user } = await update.mutateAsync({ nickname });
      setMe(user);
      setNickname(user.nickname);
      toast(t('昵称已保存'), 'good');
    } catch (failure) {
      if (!(failure instanceof CallError)) return;
      if (failure.why === 'nicknameWrong') setError(t(failure.msg));
      else toast(t(failure.msg), 'bad');
    }
  };
  return (
    <form className={classes.line} onSubmit={(event) => void save(event)} noValidate>
      <TextInput
        size="md"
        className={classes.grow}
        aria-label={t('昵称')}
        autoComplete="nickname"
        maxLength={60}
        value={nickname}
        onChange={(event) => {
          setError(null);
          setNickname(event.currentTarget.value);
        }}
        error={error}
        errorProps={{ role: 'alert' }}
      />
      <WaitButton type="submit" size="md" waiting={update.isPending}>
        {t('保存')}
      </WaitButton>
    </form>
  );
}

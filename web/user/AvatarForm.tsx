import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { imageOpt } from '#contract/values/image.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { type Me, useSetMe } from '#web/lib/me.ts';
import { prepareImage } from '#web/lib/prepare-image.ts';
import { failureText, sendFile } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { uploadFailure } from '#web/lib/upload-failure.ts';
import { useSend } from '#web/lib/useCall.ts';
import { Avatar } from './Avatar.tsx';
import classes from './AvatarForm.module.css';
import { CropDialog } from './CropDialog.tsx';

/** Changes the own picture (spec §2 avatar uploader, §5): chosen, cut to a square, uploaded; or the default one again. */
export function AvatarForm({ me }: { me: Me }) {
  const setMe = useSetMe();
  const whole = useRef<HTMLDivElement>(null);
  // 恢复默认 goes with the picture.
  useSwapFocus(whole, me.avatarUrlExt === '');
  const input = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [sending, setSending] = useState(false);
  /** In Chinese, of the choice; in the person's language, of what was sent. */
  const [fault, setFault] = useState('');
  const [refusal, setRefusal] = useState('');
  const update = useSend('POST /api/user/update');

  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    setFault('');
    const prepared = await prepareImage(imageOpt.avatar, file, new AbortController().signal);
    if (!prepared.ok) return setFault(prepared.msg);
    try {
      setPicture(await createImageBitmap(prepared.file, { imageOrientation: 'from-image' }));
    } catch {
      setFault(msg('图片已损坏，无法读取，请换一张'));
    }
  };
  const save = async (square: Blob | null) => {
    setSending(true);
    setFault('');
    setRefusal('');
    let arrived = square === null;
    try {
      const avatar = square === null ? '' : (await upload(square)).fileName;
      arrived = true;
      const { user } = await update.mutateAsync({ avatar });
      setMe(user);
      setPicture(null);
      toast(square === null ? t('已恢复默认头像') : t('头像已保存'), 'good');
    } catch (failure) {
      setRefusal(arrived ? failureText(failure) : t(uploadFailure(failure)));
    } finally {
      setSending(false);
    }
  };
  const close = () => {
    setPicture(null);
    setRefusal('');
  };
  return (
    <div ref={whole} tabIndex={-1} className={classes.form}>
      <Avatar me={me} size={72} />
      <div className={classes.body}>
        <div className={classes.actions}>
          <Button variant="default" size="md" onClick={() => input.current?.click()} data-takes-focus>
            {t('更换头像')}
          </Button>
          {me.avatarUrlExt !== '' && (
            <WaitButton
              variant="subtle"
              size="md"
              waiting={sending && picture === null}
              onClick={() => void save(null)}
            >
              {t('恢复默认')}
            </WaitButton>
          )}
        </div>
        <p className={classes.hint}>{t('JPG、PNG 格式，不超过 500KB')}</p>
        <FormRefusal text={fault !== '' ? t(fault) : picture === null && refusal !== '' ? refusal : null} />
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={t('选择头像图片')}
        onChange={({ currentTarget }) => {
          void choose(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      {picture !== null && (
        <CropDialog
          picture={picture}
          waiting={sending}
          refusal={refusal}
          onDone={(square) => void save(square)}
          onClose={close}
        />
      )}
    </div>
  );
}

const upload = (square: Blob) =>
  sendFile('POST /api/common/upload', {
    file: new File([square], 'avatar.jpg', { type: square.type }),
    opt: imageOpt.avatar,
  });

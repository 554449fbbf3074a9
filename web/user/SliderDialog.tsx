import { Button, Modal, Skeleton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import '#ui/dialog.css';
import '@mantine/core/styles/Skeleton.layer.css';
import type { CaptchaAction } from '#contract/values/user.ts';
import { SliderCaptcha } from '#ui/SliderCaptcha.tsx';
import type { Step } from '#ui/slider-state.ts';
import { CallError, type Data, type Input, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './form.module.css';
import { ProviderCaptcha } from './ProviderCaptcha.tsx';

interface Props {
  opened: boolean;
  action: CaptchaAction;
  /** The number that the ticket is for, as it was typed; the own one may be masked. */
  phone: string;
  onClose: () => void;
  onTicket: (ticket: string) => void;
}

/** How long 验证成功 stands before the dialog closes, in milliseconds. */
const linger = 500;
/** Work that takes longer after the drag is told of, in milliseconds. */
const seen = 400;

/**
 * The slider in a dialog: fetches a challenge, has the drag proven by the server, hands out the ticket. Where the challenge
 * names a provider of a captcha, that stands there instead, until it turns out not to work.
 */
export function SliderDialog({ opened, action, phone, onClose, onTicket }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('安全验证')}
      size={400}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      {opened && <Challenge action={action} phone={phone} onTicket={onTicket} />}
    </Modal>
  );
}

function Challenge({ action, phone, onTicket }: Pick<Props, 'action' | 'phone' | 'onTicket'>) {
  const [challenge, setChallenge] = useState<Data<'GET /api/captcha/slider'> | null>(null);
  const [withoutProvider, setWithoutProvider] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const [refused, setRefused] = useState<string | undefined>();
  const [working, setWorking] = useState(false);
  const work = useRef<Promise<number>>(undefined);
  const ticket = useRef('');
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(closing.current), []);

  // A challenge works once, so every refusal starts another round. The slider waits for it: the server also measures
  // the time between challenge and proof, and a drag that began earlier would look impossibly slow.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is what asks again
  useEffect(() => {
    const gone = new AbortController();
    setError(null);
    send('GET /api/captcha/slider', { action, phone }, { signal: gone.signal })
      .then((data) => {
        // Done while the person drags. It is only little until somebody fails often: then it takes seconds.
        const { bits } = (withoutProvider ? null : data.provider) ?? data.work;
        work.current = import('./solve-work.ts').then(({ solveWork }) =>
          solveWork({ ...data.work, bits }, gone.signal),
        );
        work.current.catch(() => undefined);
        setChallenge(data);
      })
      .catch((failure: unknown) => {
        if (failure instanceof CallError) setError(failure.msg);
      });
    return () => gone.abort();
  }, [action, phone, round, withoutProvider]);

  /** The slider stands in, with a challenge of its own and its work begun anew. */
  const goWithoutProvider = () => {
    setWithoutProvider(true);
    setChallenge(null);
  };

  const prove = async (by: Pick<Input<'POST /api/captcha/slider'>, 'track' | 'proof'>) => {
    try {
      const late = setTimeout(() => setWorking(true), seen);
      const found = await work.current?.finally(() => {
        clearTimeout(late);
        setWorking(false);
      });
      const { challengeId = '' } = challenge ?? {};
      const data = await send('POST /api/captcha/slider', {
        challengeId,
        ...by,
        ...(found === undefined ? {} : { work: found }),
      });
      ticket.current = data.ticket;
      return true;
    } catch (failure) {
      const why = failure instanceof CallError ? failure.why : 'captchaFailed';
      if (why === 'captchaAway') goWithoutProvider();
      if (by.proof !== undefined && why === 'captchaFailed') setRefused(t('安全验证没有通过，请重试'));
      else setRefused(failure instanceof CallError ? t(failure.msg) : t('滑块验证没有通过，请重试'));
      setRound((last) => last + 1);
      return false;
    }
  };

  if (error !== null) {
    return (
      <div className={classes.failed} role="alert">
        <p>{t(error)}</p>
        <Button variant="default" onClick={() => setRound((last) => last + 1)}>
          {t('重试')}
        </Button>
      </div>
    );
  }
  if (challenge === null) return <Skeleton height={48} radius="md" />;
  return (
    <>
      {challenge.provider && !withoutProvider ? (
        <ProviderCaptcha
          key={challenge.challengeId}
          shown={challenge.provider}
          refusedText={refused}
          onProof={(proof) => void prove({ proof }).then((believed) => believed && onTicket(ticket.current))}
          onBroken={goWithoutProvider}
        />
      ) : (
        <SliderCaptcha
          prove={(track: Step[]) => prove({ track })}
          refusedText={refused}
          takesFocus
          onDone={() => {
            closing.current = setTimeout(() => onTicket(ticket.current), linger);
          }}
        />
      )}
      <p className={classes.working} role="status">
        {working
          ? t('当前请求较多，正在加强验证，请稍候')
          : withoutProvider && t('安全验证服务暂时连接不上，请改用滑块验证')}
      </p>
    </>
  );
}

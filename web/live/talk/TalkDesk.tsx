import '#ui/dialog.css';
import '#ui/form.css';
import '#ui/menu.css';
import { Button, Modal, Popover, TextInput } from '@mantine/core';
import { IconChartBar, IconHandStop, IconMicrophone, IconMicrophoneOff, IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { POLL_FEWEST, POLL_MOST, POLL_OPTION_LONGEST, POLL_QUESTION_LONGEST } from '#contract/values/live-talk.ts';
import icon from '#ui/icon-button.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { useMe } from '#web/lib/me.ts';
import { failureText } from '#web/lib/send.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { t } from '#web/lib/t.ts';
import { bounded } from '#web/lib/typed-text.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import classes from './LiveTalk.module.css';
import type { RoomState } from './talk-state.ts';

const HANDS = 'GET /app/live/hands';

interface Props {
  liveId: number;
  state: RoomState;
  onState: (state: RoomState) => void;
}

/** What a teacher keeps order with: hands and who is muted, muting all, asking the room. */
export function TalkDesk({ liveId, state, onState }: Props) {
  const mute = useSend('POST /app/live/talk_mute');
  const [asking, setAsking] = useState(false);
  const muteAll = () =>
    mute
      .mutateAsync({ liveId, muted: state.mutedAll ? 0 : 1 })
      .then(onState)
      .catch((error) => toast(failureText(error), 'bad'));
  const MuteIcon = state.mutedAll ? IconMicrophone : IconMicrophoneOff;
  const muteWord = state.mutedAll ? t('解除全员禁言') : t('全员禁言');
  return (
    <div className={classes.desk}>
      <Popover position="bottom-end" width={280} withinPortal trapFocus>
        <Popover.Target>
          <button
            type="button"
            className={`${icon.button} ${classes.hands}`}
            aria-label={t('{count} 人举手，查看举手和禁言', { count: state.hands })}
          >
            <IconHandStop size={18} stroke={1.7} aria-hidden />
            {state.hands > 0 && <b>{state.hands}</b>}
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          <Hands liveId={liveId} seq={state.seq} onState={onState} />
        </Popover.Dropdown>
      </Popover>
      <button
        type="button"
        className={icon.button}
        aria-pressed={state.mutedAll}
        aria-label={muteWord}
        title={muteWord}
        onClick={() => void muteAll()}
      >
        <MuteIcon size={18} stroke={1.7} aria-hidden />
      </button>
      <button
        type="button"
        className={icon.button}
        aria-label={t('发起投票')}
        title={t('发起投票')}
        onClick={() => setAsking(true)}
      >
        <IconChartBar size={18} stroke={1.7} aria-hidden />
      </button>
      <Modal
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('发起投票')}
        closeButtonProps={{ 'aria-label': t('关闭') }}
      >
        <PollForm
          liveId={liveId}
          onOpened={(opened) => {
            setAsking(false);
            onState(opened);
          }}
        />
      </Modal>
    </div>
  );
}

/** Whose hands are up, and who is muted. @param seq what happened last: the list is asked for again after it */
function Hands({ liveId, seq, onState }: { liveId: number; seq: number; onState: (state: RoomState) => void }) {
  const call = useCall(HANDS, { liveId }, { staleTime: 0 });
  const { refetch } = call;
  useEffect(() => {
    void seq;
    void refetch();
  }, [seq, refetch]);
  const lower = useSend('POST /app/live/hand', { renews: [HANDS] });
  const mute = useSend('POST /app/live/talk_mute', { renews: [HANDS] });
  const then = (done: Promise<RoomState>) => done.then(onState).catch((error) => toast(failureText(error), 'bad'));
  if (call.error && !call.data) return <p>{failureText(call.error)}</p>;
  const { hands = [], muted = [] } = call.data ?? {};
  return (
    <div className={classes.people}>
      <h3>{t('举手')}</h3>
      {hands.length === 0 && <p>{t('没有人举手。')}</p>}
      <ul>
        {hands.map(({ userId, nickname }) => (
          <li key={userId}>
            <span lang="zh-CN">{nickname}</span>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => void then(lower.mutateAsync({ liveId, userId, up: 0 }))}
            >
              {t('放下')}
            </Button>
          </li>
        ))}
      </ul>
      {muted.length > 0 && <h3>{t('已禁言')}</h3>}
      <ul>
        {muted.map(({ userId, nickname }) => (
          <li key={userId}>
            <span lang="zh-CN">{nickname}</span>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => void then(mute.mutateAsync({ liveId, userId, muted: 0 }))}
            >
              {t('解除禁言')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function PollForm({ liveId, onOpened }: { liveId: number; onOpened: (state: RoomState) => void }) {
  const open = useSend('POST /app/live/poll_open');
  const owner = useMe().me?.studentId ?? 0;
  const once = useSentOnce(owner, `live.${liveId}.poll`);
  const [question, setQuestion] = useState('');
  const [options, setOptions] = useState<readonly string[]>(['', '']);
  const [refusal, setRefusal] = useState<string | null>(null);
  const ask = async () => {
    const content = { liveId, question, options: options.filter((option) => option.trim() !== '') };
    if (question.trim() === '' || content.options.length < POLL_FEWEST)
      return setRefusal(t('请填写问题和 2 到 6 个不同的选项'));
    try {
      const state = await open.mutateAsync({ ...content, clientId: once.nameOf(content) });
      once.arrived();
      onOpened(state);
    } catch (error) {
      setRefusal(failureText(error));
    }
  };
  return (
    <form
      className={classes.pollForm}
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <TextInput label={t('问题')} data-autofocus value={question} {...bounded(POLL_QUESTION_LONGEST, setQuestion)} />
      {options.map((option, at) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: options have no name but their place.
          key={at}
          label={t('选项 {n}', { n: at + 1 })}
          value={option}
          {...bounded(POLL_OPTION_LONGEST, (text) =>
            setOptions((before) => before.map((one, place) => (place === at ? text : one))),
          )}
        />
      ))}
      {options.length < POLL_MOST && (
        <Button
          variant="subtle"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setOptions((before) => [...before, ''])}
        >
          {t('添加选项')}
        </Button>
      )}
      {refusal !== null && (
        <p className={classes.refusal} role="alert">
          {refusal}
        </p>
      )}
      <WaitButton type="submit" waiting={open.isPending}>
        {t('发起投票')}
      </WaitButton>
    </form>
  );
}

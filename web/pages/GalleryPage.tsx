import { Button, PasswordInput, Tabs, TextInput } from '@mantine/core';
import '#ui/form.css';
import '#ui/tabs.css';
import { type ReactNode, useState } from 'react';
import { scoreLevel } from '#rules/exam/result.ts';
import { CardBones, RowBones, TextBones } from '#ui/Bones.tsx';
import { Countdown } from '#ui/Countdown.tsx';
import { confirm } from '#ui/confirm.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { RichText } from '#ui/RichText.tsx';
import { ScoreCircle } from '#ui/ScoreCircle.tsx';
import { SliderCaptcha } from '#ui/SliderCaptcha.tsx';
import { examToast, toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { Mark } from '#web/lib/Mark.tsx';
import { CallError } from '#web/lib/send.ts';
import classes from './GalleryPage.module.css';
import page from './page.module.css';

const tokens = ['paper', 'card', 'sunken', 'ink', 'ink-2', 'ink-3', 'line', 'edge'];
const richSample =
  '<p>text with <b>bold</b>, <i>italic</i>, \\(\\frac{a}{b}\\) in line, <script>what is not allowed</script> and</p>' +
  '<p>\\[\\int_0^1 x^2\\,dx=\\tfrac13\\]</p><ul><li>one</li><li>two</li></ul>' +
  '<table><tr><th>head</th><th>head</th></tr><tr><td>cell</td><td>cell</td></tr></table><blockquote>quote</blockquote>';
const hues = ['jade', 'cinnabar', 'amber', 'indigo'];

/** Every state of the kit on one page, for looking at; only in development builds, so its words are not translated. */
export default function GalleryPage() {
  return (
    <div className={page.page}>
      <h1 className={page.title}>ui gallery</h1>
      <Part name="mark">
        {[16, 24, 32, 64, 128].map((size) => (
          <Mark key={size} size={size} />
        ))}
      </Part>
      <Part name="tokens">
        {tokens.map((token) => (
          <span key={token} className={classes.swatch} style={{ background: `var(--${token})` }}>
            <i>{token}</i>
          </span>
        ))}
        {hues.map((hue) => (
          <span
            key={hue}
            className={classes.chip}
            style={{
              background: `var(--${hue}-soft)`,
              borderColor: `var(--${hue}-line)`,
              color: `var(--${hue}-text)`,
            }}
          >
            <b style={{ background: `var(--${hue})` }} />
            {hue}
          </span>
        ))}
      </Part>
      <Part name="Button">
        <Button>filled</Button>
        <Button variant="default">default</Button>
        <Button variant="light">light</Button>
        <Button variant="subtle">subtle</Button>
        <Button color="cinnabar">danger</Button>
        <WaitButton waiting>waiting</WaitButton>
        <Button disabled>disabled</Button>
        <Button size="md">md</Button>
        <Button size="xs">xs</Button>
      </Part>
      <Part name="toast">
        <Button variant="default" onClick={() => toast('plain, 2 s')}>
          plain
        </Button>
        <Button variant="default" onClick={() => toast('good, 2 s', 'good')}>
          good
        </Button>
        <Button variant="default" onClick={() => toast('bad, exam, 1 s', 'bad', examToast)}>
          bad
        </Button>
      </Part>
      <Part name="confirm">
        <Ask danger={false} />
        <Ask danger />
      </Part>
      <Part name="SliderCaptcha: believed">
        <Slider believed />
      </Part>
      <Part name="SliderCaptcha: refused">
        <Slider believed={false} />
      </Part>
      <Part name="fields" grid>
        <TextInput size="md" label="label" placeholder="placeholder" description="description" />
        <TextInput size="md" label="with error" defaultValue="value" error="what is wrong" />
        <TextInput size="md" label="disabled" defaultValue="value" disabled />
        <PasswordInput size="md" label="password" defaultValue="value" />
      </Part>
      <Part name="Tabs">
        <Tabs defaultValue="a">
          <Tabs.List>
            <Tabs.Tab value="a">first</Tabs.Tab>
            <Tabs.Tab value="b">second</Tabs.Tab>
            <Tabs.Tab value="c" disabled>
              disabled
            </Tabs.Tab>
          </Tabs.List>
        </Tabs>
      </Part>
      <Part name="ScoreCircle">
        {[0, 59, 60, 90, 100].map((percent) => (
          <ScoreCircle key={percent} percent={percent} level={scoreLevel(percent)} />
        ))}
      </Part>
      <Part name="Countdown">
        {[7_200_000, 61_000, 4_000].map((from) => (
          <Timer key={from} from={from} />
        ))}
      </Part>
      <Part name="RichText" wide>
        <RichText html={richSample} className="reading" />
      </Part>
      <Part name="CallState: loading, cards" wide>
        <Call skeleton={<CardBones />} />
      </Part>
      <Part name="CallState: loading, rows and text" wide>
        <Call skeleton={<RowBones count={3} />} />
        <Call skeleton={<TextBones />} />
      </Part>
      <Part name="CallState: failed" wide>
        <Call error={new CallError(503, 'busy', 'what happened')} />
      </Part>
      <Part name="CallState: a refusal that the page answers in its own way" wide>
        <Call error={new CallError(404, 'notFound', 'not shown')} />
      </Part>
      <Part name="CallState: empty" wide>
        <Call data={[]} />
      </Part>
      <Part name="CallState: content, kept when a later refresh fails" wide>
        <Call data={['first', 'second']} error={new CallError(503, 'busy', 'not shown')} />
      </Part>
    </div>
  );
}

function Part(props: { name: string; wide?: boolean; grid?: boolean; children: ReactNode }) {
  const layout = props.grid ? classes.fields : props.wide ? classes.wide : classes.row;
  return (
    <section className={page.section}>
      <h2 className={classes.name}>{props.name}</h2>
      <div className={layout}>{props.children}</div>
    </section>
  );
}

function Ask({ danger }: { danger: boolean }) {
  const [answer, setAnswer] = useState('');
  return (
    <Button
      variant="default"
      onClick={async () => {
        const yes = await confirm({
          title: 'title',
          text: 'what will happen',
          yes: danger ? 'delete' : 'go on',
          danger,
        });
        setAnswer(yes ? ': yes' : ': no');
      }}
    >
      {`${danger ? 'dangerous' : 'usual'}${answer}`}
    </Button>
  );
}

/** Colours by what is left of two minutes. */
function Timer({ from }: { from: number }) {
  const [end] = useState(() => performance.now() + from);
  return (
    <Countdown
      label="time left"
      left={() => end - performance.now()}
      format={(left) => `${(Math.max(0, left) / 1000).toFixed(1)} s`}
      level={(left) => (left < 6_000 ? 'last' : left < 24_000 ? 'low' : 'plenty')}
      announce={() => null}
      onTick={() => undefined}
    />
  );
}

function Slider({ believed }: { believed: boolean }) {
  return (
    <div className={classes.slider}>
      <SliderCaptcha
        prove={() => new Promise((resolve) => setTimeout(() => resolve(believed), 600))}
        onDone={() => toast('done', 'good')}
        refusedText="refused, once more"
      />
    </div>
  );
}

interface CallProps {
  data?: readonly string[];
  error?: CallError;
  skeleton?: ReactNode;
}

/** A call that stands still in one of its states. */
function Call({ data, error, skeleton }: CallProps) {
  return (
    <CallState
      call={{ data, error: error ?? null, refetch: () => toast('retry') }}
      skeleton={skeleton}
      empty={{
        when: (words) => words.length === 0,
        show: <EmptyState text="what is missing, and what to do next" action={<Button>next</Button>} />,
      }}
      refusals={{ notFound: <EmptyState text="no such record" /> }}
    >
      {(words) => (
        <ul>
          {words.map((word) => (
            <li key={word}>{word}</li>
          ))}
        </ul>
      )}
    </CallState>
  );
}

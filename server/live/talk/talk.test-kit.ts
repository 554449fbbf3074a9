import type { TalkWatch } from '#contract/live-talk.ts';
import type { MessageOf } from '#contract/socket.ts';
import type { Db } from '#server/db/open.ts';
import type { TestUser } from '#server/test-kit.ts';

const MINUTE = 60_000;

/** Makes a lesson in the room of this site that begins in ten minutes and lasts for two hours: its room is open. @returns its id */
export async function makeRoom(
  { db, time }: { db: Db; time: { now: number } },
  { packId, teacherId }: { packId: number; teacherId: number },
): Promise<number> {
  const { id } = await db.query
    .insertInto('live_lessons')
    .values({
      ...{ pack_id: packId, teacher_id: teacherId, title: '极限专题', live_platform: 0 },
      ...{ live_url_pc: '', live_url_h5: '', replay_url: '', told_at: null, cancelled_at: null },
      ...{ starts_at: time.now + 10 * MINUTE, ends_at: time.now + 130 * MINUTE },
      ...{ created_by: teacherId, client_id: null, created_at: time.now },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

type Message = MessageOf<typeof TalkWatch>;

/** A window in a room: all it heard, and how it closed. */
export interface Listener {
  /** Events in the order in which they came. */
  events: Message['events'];
  /** How the room stands, as it was told. */
  states: NonNullable<Message['state']>[];
  /** Closing code; null: open. */
  closed(): number | null;
  /** Waits until this holds of what was heard, or the socket has closed. */
  until(holds: () => boolean): Promise<void>;
  send(text: string): void;
  close(): void;
}

/** Opens the socket of a room; @returns once it has said how the room stands, or closed. */
export async function listen(
  port: number,
  as: Pick<TestUser, 'token'> | null,
  liveId: number,
  headers: Record<string, string> = {},
): Promise<Listener> {
  const events: Message['events'] = [];
  const states: Listener['states'] = [];
  const waiting: (() => void)[] = [];
  let closed: number | null = null;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/app/live/chat?liveId=${liveId}`, {
    headers: { ...(as ? { authorization: `Bearer ${as.token}` } : {}), ...headers },
  } as never);
  const wake = () => {
    for (const goOn of waiting.splice(0)) goOn();
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    events.push(...message.events);
    if (message.state) states.push(message.state);
    wake();
  };
  socket.onclose = ({ code }) => {
    closed = code;
    wake();
  };
  socket.onerror = () => undefined;
  const until = async (holds: () => boolean) => {
    while (!holds() && closed === null) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  await until(() => states.length > 0);
  return {
    ...{ events, states, until },
    closed: () => closed,
    send: (text) => socket.send(text),
    close: () => socket.close(),
  };
}

import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { type StreamFault, streamFaults } from '#rules/live/codec.ts';
import { KEY_WITHIN } from '#rules/live/publishing.ts';
import { keyIn } from '#rules/live/stream-key.ts';
import { type Allowance, takeMore, type Used } from '#rules/user/allowance.ts';
import { type AmfValue, readAmf, writeAmf } from './amf0.ts';
import { AFTER_KEY, ChunkReader, KIND, OWN_CHUNK_SIZE, type RtmpMessage, writeChunks } from './chunks.ts';
import type { Ending } from './message.ts';
import type { Encoder, Streams } from './streams.ts';

/** What a connection asks of the process that it came to. */
interface Gate {
  streams: Streams;
  /** Whose stream a key is; null: nobody's. @param isHere whether the connection still waits for the answer */
  authorize(key: string, isHere: () => boolean): Promise<string | null>;
}

/** RTMP without encryption (RTMP 1.0 §5.2). */
const VERSION = 3;
const HELLO = 1536;
/** Bytes after which we want a word, and say one (§5.4.3). */
const WINDOW = 2_500_000;
const LEAST_WINDOW = 65_536;
/** Messages that may come before the right key. */
const MOST_BEFORE_KEY = 100;
/** Bytes of our answers that an encoder may leave unread. */
const MOST_UNREAD = 64 * 1024;
/** How long an encoder has to read why it was refused (milliseconds). */
const LAST_WORDS = 500;
/** 40 Mbit/s, and what an encoder kept through a stall. */
const RATE: Allowance = { most: 32 * 1024 * 1024, within: 6500 };
/** The one stream of messages that a connection may make. */
const MESSAGE_STREAM = 1;

type Phase = 'greeting' | 'greeted' | 'open' | 'asking' | 'publishing' | 'over';

/**
 * One encoder's connection, from the first byte: greeting, `connect`, `createStream`, `publish`. Nothing else is served, `play` is
 * refused. `NetStream.Publish.Start` is said when the key was found right and not before; of one that has none no frame is heard.
 */
export class Connection implements Encoder {
  private phase: Phase = 'greeting';
  private early: Buffer = Buffer.alloc(0);
  private readonly reader = new ChunkReader();
  private stream: string | null = null;
  private messages = 0;
  private came = 0;
  private acknowledged = 0;
  private window = WINDOW;
  private rate: Used | undefined;
  private readonly late: NodeJS.Timeout;
  private readonly socket: Socket;
  private readonly gate: Gate;

  constructor(socket: Socket, gate: Gate) {
    this.socket = socket;
    this.gate = gate;
    socket.setNoDelay(true);
    this.late = setTimeout(() => this.close(), KEY_WITHIN);
    socket.on('data', (bytes: Buffer) => {
      // Whatever a stranger sends ends this connection at most.
      try {
        this.data(bytes);
      } catch {
        this.fail();
      }
    });
    socket.on('error', () => this.close());
    socket.on('close', () => this.close());
  }

  /** Whether the right key was shown. */
  get publishes(): boolean {
    return this.phase === 'publishing';
  }

  dismiss(why: Ending, fault?: StreamFault): void {
    if (this.phase === 'over') return;
    const [code, says] =
      why === 'stopped'
        ? ['NetStream.Unpublish.Success', '']
        : ['NetStream.Publish.BadName', fault ? streamFaults[fault] : ''];
    this.finish(this.status(code, why === 'stopped' ? 'status' : 'error', says));
  }

  /** Ends the connection without a word. */
  close(): void {
    this.over('closed');
    this.socket.destroy();
  }

  private fail(): void {
    this.over('refused', 'damaged');
    this.close();
  }

  private over(why: Ending, fault?: StreamFault): void {
    clearTimeout(this.late);
    const stream = this.phase === 'publishing' ? this.stream : null;
    this.phase = 'over';
    this.early = Buffer.alloc(0);
    if (stream !== null) this.gate.streams.leave(stream, this, why, fault);
  }

  /** Says a last word and hears nothing more, whatever the other side goes on sending. */
  private finish(words: Buffer): void {
    clearTimeout(this.late);
    this.phase = 'over';
    this.socket.removeAllListeners('data');
    this.socket.pause();
    this.socket.end(words);
    setTimeout(() => this.socket.destroy(), LAST_WORDS);
  }

  private data(bytes: Buffer): void {
    if (this.phase === 'over') return;
    if (this.phase === 'publishing') {
      const more = takeMore(RATE, this.rate, bytes.length, performance.now());
      if (!more.ok) {
        this.gate.streams.leave(this.stream ?? '', this, 'refused', 'tooMuch');
        return;
      }
      this.rate = more.used;
    }
    this.acknowledge(bytes.length);
    const rest = this.phase === 'greeting' || this.phase === 'greeted' ? this.greet(bytes) : bytes;
    if (rest.length === 0 || this.isOver()) return;
    const fault = this.reader.push(rest, (message) => {
      this.message(message);
      return !this.isOver();
    });
    if (fault !== null && !this.isOver()) this.fail();
  }

  private isOver(): boolean {
    return this.phase === 'over';
  }

  /** The greeting (§5.2), whose contents nobody looks at. @returns what came behind it */
  private greet(bytes: Buffer): Buffer {
    this.early = Buffer.concat([this.early, bytes]);
    if (this.early[0] !== VERSION && this.phase === 'greeting') {
      this.close();
      return this.early;
    }
    if (this.phase === 'greeting' && this.early.length >= 1 + HELLO) {
      const theirs = this.early.subarray(1, 1 + HELLO);
      // Time and version 0, so that nobody looks for a digest.
      const ours = Buffer.concat([Buffer.alloc(8), randomBytes(HELLO - 8)]);
      this.socket.write(Buffer.concat([Buffer.of(VERSION), ours, theirs]));
      this.early = Buffer.from(this.early.subarray(1 + HELLO));
      this.phase = 'greeted';
    }
    if (this.phase !== 'greeted' || this.early.length < HELLO) return Buffer.alloc(0);
    const rest = this.early.subarray(HELLO);
    this.early = Buffer.alloc(0);
    this.phase = 'open';
    return rest;
  }

  private acknowledge(bytes: number): void {
    this.came += bytes;
    if (this.came - this.acknowledged < this.window || this.phase === 'greeting') return;
    this.acknowledged = this.came;
    this.control(KIND.acknowledgement, number32(this.came));
  }

  private message({ kind, time, body }: RtmpMessage): void {
    if (kind === KIND.audio || kind === KIND.video) {
      if (this.phase === 'publishing' && this.stream !== null)
        this.gate.streams.take(this.stream, this, kind === KIND.video ? 'video' : 'audio', time, body);
      return;
    }
    this.messages += 1;
    const isTooMuch = this.phase !== 'publishing' && this.messages > MOST_BEFORE_KEY;
    if (isTooMuch || this.socket.writableLength > MOST_UNREAD) this.fail();
    else if (kind === KIND.windowSize && body.length >= 4) this.window = Math.max(body.readUInt32BE(), LEAST_WINDOW);
    else if (kind === KIND.userControl) this.pong(body);
    // Of AMF 3 encoders use the envelope alone: a byte, and AMF 0 in it.
    else if (kind === KIND.command) this.command(readAmf(body));
    else if (kind === KIND.amf3Command) this.command(readAmf(body.subarray(1)));
  }

  /** A ping (§7.1.7) is answered with its own time. */
  private pong(body: Buffer): void {
    if (body.length >= 6 && body.readUInt16BE() === 6)
      this.control(KIND.userControl, Buffer.concat([Buffer.of(0, 7), body.subarray(2, 6)]));
  }

  private command(values: AmfValue[] | null): void {
    const [name, id = 0, , argument] = values ?? [];
    if (typeof name !== 'string' || typeof id !== 'number') {
      this.fail();
      return;
    }
    switch (name) {
      case 'connect':
        this.connect(id);
        break;
      case 'releaseStream':
      case 'FCPublish':
        this.answer(id, null, null);
        break;
      case 'createStream':
        this.answer(id, null, MESSAGE_STREAM);
        break;
      case 'publish':
        if (this.phase === 'open') {
          this.phase = 'asking';
          // What is thrown there is as good as a refusal.
          this.publish(typeof argument === 'string' ? argument : '').catch(() => this.close());
        } else this.fail();
        break;
      case 'FCUnpublish':
      case 'deleteStream':
      case 'closeStream':
        if (this.phase === 'publishing') this.gate.streams.leave(this.stream ?? '', this, 'stopped');
        else if (this.phase === 'asking') this.close();
        break;
      case 'play':
      case 'play2':
        this.over('refused', 'damaged');
        this.finish(this.status('NetStream.Play.Failed', 'error', ''));
    }
  }

  private connect(id: number): void {
    this.control(KIND.windowSize, number32(WINDOW));
    this.control(KIND.peerBandwidth, Buffer.concat([number32(WINDOW), Buffer.of(2)]));
    this.control(KIND.chunkSize, number32(OWN_CHUNK_SIZE));
    const server = new Map<string, AmfValue>([
      ['fmsVer', 'FMS/3,0,1,123'],
      ['capabilities', 31],
    ]);
    const info = new Map<string, AmfValue>([
      ['level', 'status'],
      ['code', 'NetConnection.Connect.Success'],
      ['description', ''],
      ['objectEncoding', 0],
    ]);
    this.answer(id, server, info);
  }

  private async publish(name: string): Promise<void> {
    const key = keyIn(name);
    const isHere = () => this.phase === 'asking';
    const stream = key === null ? null : await this.gate.authorize(key, isHere);
    if (!isHere()) return;
    if (stream === null || !(await this.gate.streams.begin(stream, this, isHere))) {
      if (isHere()) this.dismiss('refused');
      return;
    }
    clearTimeout(this.late);
    this.stream = stream;
    this.phase = 'publishing';
    this.reader.bounds = AFTER_KEY;
    this.control(KIND.userControl, Buffer.concat([Buffer.of(0, 0), number32(MESSAGE_STREAM)]));
    this.socket.write(this.status('NetStream.Publish.Start', 'status', ''));
  }

  private control(kind: number, body: Buffer): void {
    this.socket.write(writeChunks({ kind, time: 0, body }, { id: 2 }));
  }

  private answer(id: number, about: AmfValue, value: AmfValue): void {
    const body = writeAmf(['_result', id, about, value]);
    this.socket.write(writeChunks({ kind: KIND.command, time: 0, body }, { id: 3 }));
  }

  private status(code: string, level: 'status' | 'error', description: string): Buffer {
    const info = new Map<string, AmfValue>([
      ['level', level],
      ['code', code],
      ['description', description],
    ]);
    const body = writeAmf(['onStatus', 0, null, info]);
    return writeChunks({ kind: KIND.command, time: 0, body }, { id: 3, stream: MESSAGE_STREAM });
  }
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

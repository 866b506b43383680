/**
 * One direction of one connection: passes bytes on as they come, and the end behind them; can be held, delayed or
 * muted. While it is held nothing is read from the source, so that the buffers of the kernel push back on the sender;
 * nothing is lost and nothing grows.
 * Trap: a paused socket still tells of its end and of its death; while the flow is held neither is passed on.
 */
import type { Socket } from 'node:net';

/** Why a direction is held. It flows when no reason is left. */
export type HoldReason = 'sink_full' | 'much_delayed' | 'commit' | 'black_hole';

export interface Delay {
  readonly fixedMs: number;
  /** Up to this much more, drawn anew for each chunk. */
  readonly jitterMs: number;
}

/** How the source ended: it will say no more, or it is gone. */
export type SourceEnd = 'end' | 'close' | 'reset';

// What a delayed direction keeps in memory; behind it the sender waits, as it would on a slow network.
const mostDelayedBytes = 4 << 20;

/** From one socket to the other. */
export class Flow {
  readonly #source: Socket;
  readonly #sink: Socket;
  readonly #reasons = new Set<HoldReason>();
  #delay: Delay | null = null;
  #waiting: { readonly bytes: Buffer; readonly dueAtMs: number }[] = [];
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #sourceEnd: SourceEnd | null = null;
  #muted = false;

  constructor(source: Socket, sink: Socket) {
    this.#source = source;
    this.#sink = sink;
    sink.on('drain', () => this.release('sink_full'));
    sink.on('close', () => this.#stop());
  }

  /** Passes bytes on: at once, or behind what is delayed. */
  send(bytes: Buffer): void {
    if (bytes.length === 0 || this.#muted || this.#sink.destroyed) return;
    const blackHole = this.#reasons.has('black_hole');
    if (this.#delay === null && this.#waiting.length === 0 && !blackHole) return this.#write(bytes);
    const { fixedMs, jitterMs } = this.#delay ?? { fixedMs: 0, jitterMs: 0 };
    this.#waiting.push({ bytes, dueAtMs: performance.now() + fixedMs + Math.random() * jitterMs });
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > mostDelayedBytes) this.hold('much_delayed');
    this.#schedule();
  }

  /** Every chunk from now on is passed on this much later, in order; null: at once. */
  delay(delay: Delay | null): void {
    this.#delay = delay;
  }

  hold(reason: HoldReason): void {
    this.#reasons.add(reason);
    this.#source.pause();
  }

  release(reason: HoldReason): void {
    if (!this.#reasons.delete(reason)) return;
    this.#schedule();
    this.#passEnd();
    if (this.#reasons.size === 0) this.#source.resume();
  }

  /** Passes the end of the source on, once nothing is held or delayed before it. */
  finish(end: SourceEnd): void {
    this.#sourceEnd = end;
    this.#passEnd();
  }

  /** From now on the sink hears nothing more, the end neither. */
  mute(): void {
    this.#muted = true;
  }

  #write(bytes: Buffer): void {
    if (this.#muted || this.#sink.destroyed || this.#sink.writableEnded) return;
    if (!this.#sink.write(bytes)) this.hold('sink_full');
  }

  #passEnd(): void {
    const isHeld = this.#reasons.has('commit') || this.#reasons.has('black_hole');
    if (this.#sourceEnd === null || isHeld || this.#muted || this.#waiting.length > 0) return;
    const sink = this.#sink;
    if (this.#sourceEnd === 'end') sink.end();
    // A handle that is shutting down cannot be reset, and would never close.
    else if (this.#sourceEnd === 'reset' && sink.writableLength === 0 && !sink.writableEnded) sink.resetAndDestroy();
    else sink.destroySoon();
  }

  #schedule(): void {
    const next = this.#waiting[0];
    if (next === undefined || this.#timer !== null || this.#reasons.has('black_hole')) return;
    this.#timer = setTimeout(() => this.#passDue(), Math.max(0, next.dueAtMs - performance.now()));
  }

  #passDue(): void {
    this.#timer = null;
    if (this.#reasons.has('black_hole')) return;
    const nowMs = performance.now();
    for (let next = this.#waiting[0]; next !== undefined && next.dueAtMs <= nowMs; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#waitingBytes -= next.bytes.length;
      this.#write(next.bytes);
    }
    if (this.#waitingBytes <= mostDelayedBytes) this.release('much_delayed');
    this.#schedule();
    this.#passEnd();
  }

  #stop(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

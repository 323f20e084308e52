import { Heartbeat } from '@/lib/protocol/event-stream/heartbeat';
import { SilenceWatch } from '../upstreams/silence-watch';

/**
 * Maximum time to hold back events before an answer begins. After this time, the gateway relays a slow model's SSE
 * comments, so that the client does not time out.
 */
const PREFACE_MS = 5_000;

interface RelayAlarms {
  onSilence(): void;
  onHeld(): void;
  onUnread(): void;
  onQuiet(): void;
}

export class RelayClocks {
  readonly #silence: SilenceWatch;
  readonly #heartbeat: Heartbeat;
  #holding: NodeJS.Timeout | null = null;
  #stalled: NodeJS.Timeout | null = null;

  constructor(private readonly alarms: RelayAlarms) {
    this.#silence = new SilenceWatch(() => alarms.onSilence());
    this.#heartbeat = new Heartbeat(() => alarms.onQuiet());
  }

  /** Restarts, with this timeout, the timer that limits the upstream's silence. */
  wait(timeoutMs: number): void {
    this.#silence.wait(timeoutMs);
  }

  heard(): void {
    this.#silence.heard();
  }

  hold(): void {
    this.#holding ??= setTimeout(() => this.alarms.onHeld(), PREFACE_MS);
  }

  stopHolding(): void {
    if (this.#holding) clearTimeout(this.#holding);
    this.#holding = null;
  }

  get isStalled(): boolean {
    return this.#stalled !== null;
  }

  stall(timeoutMs: number): void {
    this.#stalled = setTimeout(() => this.alarms.onUnread(), timeoutMs);
  }

  clearStall(): void {
    if (this.#stalled) clearTimeout(this.#stalled);
    this.#stalled = null;
  }

  startHeartbeat(): void {
    this.#heartbeat.start();
  }

  beat(): void {
    this.#heartbeat.beat();
  }

  /** Stops all clocks except the clock that detects a client that does not read. */
  stop(): void {
    this.#silence.stop();
    this.stopHolding();
    this.#heartbeat.stop();
  }
}

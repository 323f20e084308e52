const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;

/**
 * Shows the steps of a command with their durations. Steps may run in parallel. A terminal shows one live line.
 * Elsewhere (a pipe, CI), each step prints a line at its start and end, so that a log shows where a command hangs.
 *
 * @param {import('node:tty').WriteStream | NodeJS.WritableStream} [stream]
 */
export function createProgress(stream = process.stdout) {
  const isLive = 'isTTY' in stream && stream.isTTY === true;
  const paint = painter(!process.env.NO_COLOR && (isLive || Boolean(process.env.FORCE_COLOR)));
  const live = isLive ? new LiveLine(/** @type {import('node:tty').WriteStream} */ (stream), paint) : undefined;
  return {
    paint,
    /** @param {string} text printed unchanged, on its own line */
    line(text = '') {
      if (live) live.print(text);
      else stream.write(`${text}\n`);
    },
    /**
     * @param {string} label present participle, such as "Building"
     * @returns {Step}
     */
    step(label) {
      return live ? live.step(label) : plainStep(stream, label);
    },
  };
}

/**
 * @typedef {object} Step
 * @property {(detail: string) => void} update replaces the detail after the label
 * @property {(result?: string) => void} done ends the step as successful
 * @property {(result?: string) => void} failed ends the step as failed
 */

/** @typedef {ReturnType<typeof createProgress>} Progress */

/** @param {NodeJS.WritableStream} stream @param {string} label @returns {Step} */
function plainStep(stream, label) {
  const startedMs = performance.now();
  /** @param {string} word @param {string} [result] */
  const end = (word, result) =>
    stream.write(`${label}: ${[word, result].filter(Boolean).join(', ')} (${elapsed(startedMs)})\n`);
  stream.write(`${label} …\n`);
  return {
    update() {},
    done: (result) => end('done', result),
    failed: (result) => end('failed', result),
  };
}

/** Last line on a terminal. Shows the running steps with their durations and latest details. */
class LiveLine {
  /** @type {Map<string, number>} start time of each step, by label */
  #inHand = new Map();
  #frame = 0;
  #detail = '';
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {import('node:tty').WriteStream} stream @param {Paint} paint */
  constructor(stream, paint) {
    this.stream = stream;
    this.paint = paint;
  }

  /** @param {string} label @returns {Step} */
  step(label) {
    this.#inHand.set(label, performance.now());
    this.#timer ??= setInterval(() => this.#draw(), frameMs);
    this.#timer.unref();
    this.#draw();
    return {
      update: (next) => {
        this.#detail = next.replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, '').trim();
      },
      done: (result) => this.#end(label, this.paint.green('✔'), result),
      failed: (result) => this.#end(label, this.paint.red('✘'), result),
    };
  }

  /** @param {string} text printed above the live line */
  print(text) {
    this.stream.write(this.#inHand.size > 0 ? `\r\x1b[2K${text}\n` : `${text}\n`);
    this.#draw();
  }

  #draw() {
    const [startedMs] = this.#inHand.values();
    if (startedMs === undefined) return;
    const head = `${frames[this.#frame++ % frames.length]} ${[...this.#inHand.keys()].join(', ')}  ${elapsed(startedMs)}`;
    const room = Math.max(0, (this.stream.columns || 80) - head.length - 4);
    const tail = this.#detail.length > room ? `${this.#detail.slice(0, Math.max(0, room - 1))}…` : this.#detail;
    this.stream.write(`\r\x1b[2K${head}  ${this.paint.dim(tail)}`);
  }

  /** @param {string} label @param {string} mark @param {string} [result] */
  #end(label, mark, result) {
    const parts = [
      `${mark} ${label}`,
      result,
      this.paint.dim(elapsed(this.#inHand.get(label) ?? performance.now())),
    ].filter(Boolean);
    this.stream.write(`\r\x1b[2K${parts.join('  ')}\n`);
    this.#inHand.delete(label);
    this.#detail = '';
    if (this.#inHand.size > 0) return this.#draw();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** @typedef {Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>} Paint */

/** @param {boolean} colours @returns {Paint} */
function painter(colours) {
  /** @param {number} on @param {number} off @returns {(text: string) => string} */
  const style = (on, off) => (text) => (colours && text ? `\x1b[${on}m${text}\x1b[${off}m` : text);
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}

/**
 * Formats the time since `startedMs` (of `performance.now()`), such as `0.4 s` or `2 min 05 s`.
 * @param {number} startedMs
 */
function elapsed(startedMs) {
  const seconds = (performance.now() - startedMs) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
}

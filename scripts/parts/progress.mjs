const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;

/**
 * Shows the steps of a command with the time each takes. On a terminal the step
 * in hand is a live line; elsewhere (a pipe, CI) each step prints one line when
 * it starts and one when it ends, so that a log shows where a command hangs.
 *
 * @param {import('node:tty').WriteStream | NodeJS.WritableStream} [stream]
 */
export function createProgress(stream = process.stdout) {
  const live = 'isTTY' in stream && stream.isTTY === true;
  const paint = painter(!process.env.NO_COLOR && (live || Boolean(process.env.FORCE_COLOR)));
  return {
    paint,
    /** @param {string} text printed as it is, on a line of its own */
    line(text = '') {
      stream.write(`${text}\n`);
    },
    /**
     * @param {string} label what is being done, in the present participle
     * @returns {Step}
     */
    step(label) {
      return live
        ? liveStep(/** @type {import('node:tty').WriteStream} */ (stream), label, paint)
        : plainStep(stream, label);
    },
  };
}

/**
 * @typedef {object} Step
 * @property {(detail: string) => void} update replaces the detail behind the label
 * @property {(result?: string) => void} done ends the step well
 * @property {(result?: string) => void} failed ends the step badly
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

/**
 * @param {import('node:tty').WriteStream} stream
 * @param {string} label
 * @param {Paint} paint
 * @returns {Step}
 */
function liveStep(stream, label, paint) {
  const startedMs = performance.now();
  let frame = 0;
  let detail = '';
  const draw = () => {
    const head = `${frames[frame++ % frames.length]} ${label}  ${elapsed(startedMs)}`;
    const room = Math.max(0, (stream.columns || 80) - head.length - 4);
    const tail = detail.length > room ? `${detail.slice(0, Math.max(0, room - 1))}…` : detail;
    stream.write(`\r\x1b[2K${head}  ${paint.dim(tail)}`);
  };
  const timer = setInterval(draw, frameMs);
  timer.unref();
  draw();
  /** @param {string} mark @param {string} [result] */
  const end = (mark, result) => {
    clearInterval(timer);
    const parts = [`${mark} ${label}`, result, paint.dim(elapsed(startedMs))].filter(Boolean);
    stream.write(`\r\x1b[2K${parts.join('  ')}\n`);
  };
  return {
    update(next) {
      detail = next.replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, '').trim();
    },
    done: (result) => end(paint.green('✔'), result),
    failed: (result) => end(paint.red('✘'), result),
  };
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
 * Time since `startedMs` (of `performance.now()`), as `0.4 s` or `2 min 05 s`.
 * @param {number} startedMs
 */
export function elapsed(startedMs) {
  const seconds = (performance.now() - startedMs) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
}

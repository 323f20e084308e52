import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';

/**
 * The thread of `askPostgres` in books.ts. It has one connection and runs statements in order. It sends each result
 * through `answers` and wakes the thread that waits for `woken`.
 * @type {{url: string, answers: import('node:worker_threads').MessagePort, woken: Int32Array}}
 */
const { url, answers, woken } = workerData;

const client = new pg.Client({ connectionString: url });
// If the connection breaks, the next statement fails with that error.
client.on('error', () => undefined);
const connected = client.connect();
connected.catch(() => undefined);

parentPort?.on('message', async (/** @type {string} */ statement) => {
  answers.postMessage(await answerTo(statement));
  Atomics.store(woken, 0, 1);
  Atomics.notify(woken, 0);
});

/** @param {string} statement @returns {Promise<{value: unknown} | {error: string}>} the first column of the first row */
async function answerTo(statement) {
  try {
    await connected;
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return { value: rows?.[0]?.[0] };
  } catch (error) {
    return { error: String(error) };
  }
}

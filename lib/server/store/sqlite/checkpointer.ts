import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'libsql';

const INTERVAL_MS = 250;
/** Beyond this the log is finished off under the write lock, since under steady load it never comes to rest by itself. */
const LOG_BYTES_MAX = 64 * 1024 * 1024;

/** The thread of `startCheckpoints`: copies the write-ahead log into the database, syncing as it goes. */
const { file } = workerData as { file: string };
const connection = new Sqlite(file);
connection.pragma('busy_timeout = 1000');

const timer = setInterval(() => {
  connection.pragma('wal_checkpoint(PASSIVE)');
  if (logBytes() > LOG_BYTES_MAX) connection.pragma('wal_checkpoint(RESTART)');
}, INTERVAL_MS);

parentPort?.once('message', () => {
  clearInterval(timer);
  connection.close();
});

function logBytes(): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'libsql';
import { checkpoint } from './checkpoint';

const INTERVAL_MS = 250;

/** The thread of `startCheckpoints`: copies the write-ahead log into the database, syncing as it goes. */
const { file } = workerData as { file: string };
const connection = new Sqlite(file);
connection.pragma('busy_timeout = 1000');
const statements = {
  passive: connection.prepare('pragma wal_checkpoint(PASSIVE)').raw(),
  restart: connection.prepare('pragma wal_checkpoint(RESTART)').raw(),
};

const timer = setInterval(() => checkpoint((mode) => statements[mode].get() as [number, number, number]), INTERVAL_MS);

parentPort?.once('message', () => {
  clearInterval(timer);
  connection.close();
});

import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync } from 'node:sqlite';
import { checkpoint } from './checkpoint';

const INTERVAL_MS = 250;

/** This file runs in the thread that `startCheckpoints` starts. */
const { file } = workerData as { file: string };
const connection = new DatabaseSync(file, { timeout: 1_000 });
const statements = {
  passive: connection.prepare('pragma wal_checkpoint(PASSIVE)'),
  restart: connection.prepare('pragma wal_checkpoint(RESTART)'),
};
for (const statement of Object.values(statements)) statement.setReturnArrays(true);

const timer = setInterval(
  () => checkpoint((mode) => statements[mode].get() as unknown as [number, number, number]),
  INTERVAL_MS,
);

parentPort?.once('message', () => {
  clearInterval(timer);
  connection.close();
});

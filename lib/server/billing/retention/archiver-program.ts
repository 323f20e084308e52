import { parentPort, workerData } from 'node:worker_threads';
import { openSqlite } from '../../db/sqlite/open';
import type { ArchiverLog, ArchivingPlace } from './archiving-thread';
import { startArchiving } from './ledger-archiver';

/** This file runs in the thread that `startArchivingThread` starts. */
const { dataDir, ledgerDays, folder } = workerData as ArchivingPlace;
const { db, close } = await openSqlite(dataDir, { exclusive: false });
const say =
  (level: keyof ArchiverLog) =>
  (facts: object, text: string): void =>
    parentPort?.postMessage({ level, facts, text });
const stop = startArchiving({ db, ledgerDays, folder, now: Date.now, log: { info: say('info'), warn: say('warn') } });

parentPort?.once('message', () => void stop().then(close));

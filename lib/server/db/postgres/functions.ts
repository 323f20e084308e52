import { type QueryExecutorProvider, sql } from 'kysely';
import allocate from './functions/allocate.sql';
import allocationRow from './functions/allocation-row.sql';
import chargeAtOnce from './functions/charge-at-once.sql';
import countRequest from './functions/count-request.sql';
import creditsFreeAt from './functions/credits-free-at.sql';
import diem from './functions/diem.sql';
import epoch from './functions/epoch.sql';
import expire from './functions/expire.sql';
import expireAll from './functions/expire-all.sql';
import flushCredits from './functions/flush-credits.sql';
import forgetRecords from './functions/forget-records.sql';
import free from './functions/free.sql';
import isCurrentEpoch from './functions/is-current-epoch.sql';
import isInMinute from './functions/is-in-minute.sql';
import isRoomy from './functions/is-roomy.sql';
import keep from './functions/keep.sql';
import keptBytes from './functions/kept-bytes.sql';
import keyRefusal from './functions/key-refusal.sql';
import lock from './functions/lock.sql';
import meter from './functions/meter.sql';
import meterInTurn from './functions/meter-in-turn.sql';
import note from './functions/note.sql';
import now from './functions/now.sql';
import period from './functions/period.sql';
import purse from './functions/purse.sql';
import refuseAuditChange from './functions/refuse-audit-change.sql';
import refuseLedgerChange from './functions/refuse-ledger-change.sql';
import refuseLedgerDelete from './functions/refuse-ledger-delete.sql';
import reserve from './functions/reserve.sql';
import reserveTogether from './functions/reserve-together.sql';
import room from './functions/room.sql';
import settle from './functions/settle.sql';
import settleTogether from './functions/settle-together.sql';
import spendable from './functions/spendable.sql';
import sumLedger from './functions/sum-ledger.sql';
import sumRecords from './functions/sum-records.sql';
import wasCharged from './functions/was-charged.sql';

/** Sources of the Postgres functions. Each follows the functions that it calls. */
export const POSTGRES_FUNCTIONS: readonly string[] = [
  // Time and epochs.
  ...[now, epoch, isCurrentEpoch, isInMinute, period],
  // A caller's meter.
  ...[diem, purse, spendable, room, lock, keep, countRequest, flushCredits, creditsFreeAt, isRoomy],
  // Ledger and stored answers.
  ...[
    refuseLedgerChange,
    refuseLedgerDelete,
    refuseAuditChange,
    wasCharged,
    keptBytes,
    sumRecords,
    sumLedger,
    forgetRecords,
  ],
  // One call.
  ...[keyRefusal, reserve, free, settle, note, expire, expireAll],
  // Batches of calls.
  ...[meterInTurn, reserveTogether, settleTogether, meter, chargeAtOnce],
  // Daily allocations.
  ...[allocationRow, allocate],
];

/**
 * Creates or replaces the functions and their triggers. A migration that changes a function's arguments or result must
 * first drop the old function.
 */
export async function createFunctions(db: QueryExecutorProvider): Promise<void> {
  for (const statements of POSTGRES_FUNCTIONS) await sql.raw(statements).execute(db);
}

import { type Kysely, sql } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

/**
 * Adds the audit log, and daily ledger rows that replace archived charges. Triggers refuse to delete ledger rows,
 * except charges older than `ledger_archiving.before_at`. Only a transaction that archives charges sets this time. On
 * Postgres, `createFunctions` creates the triggers.
 */
export async function addRetentionAndAudit(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .alterTable('ledger')
    .addColumn('calls', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema.alterTable('ledger').addColumn('archive_id', id).execute();
  await db.schema
    .createTable('ledger_archives')
    .addColumn('id', id, (column) => column.primaryKey())
    .addColumn('file', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('previous_sha256', 'text', (column) => column.notNull())
    .addColumn('archived_rows', 'bigint', (column) => column.notNull())
    .addColumn('daily_rows', 'bigint', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('before_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('ledger_archiving')
    .addColumn('before_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('audit_log')
    .addColumn('id', id, (column) =>
      dialect === 'postgres' ? column.generatedAlwaysAsIdentity().primaryKey() : column.primaryKey().autoIncrement(),
    )
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('command', 'text', (column) => column.notNull())
    .addColumn('arguments', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .execute();
  if (dialect === 'sqlite') for (const statement of SQLITE_GUARDS) await sql.raw(statement).execute(db);
}

const SQLITE_GUARDS = [
  'drop trigger ledger_refuses_delete',
  `create trigger ledger_refuses_delete before delete on ledger
     when old.kind <> 'CHARGE' or not exists (select 1 from ledger_archiving where old.created_at < before_at)
     begin select raise(abort, 'the ledger is append-only'); end`,
  "create trigger audit_refuses_update before update on audit_log begin select raise(abort, 'the audit log is append-only'); end",
  "create trigger audit_refuses_delete before delete on audit_log begin select raise(abort, 'the audit log is append-only'); end",
];

import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';
import { RESERVE } from './postgres/kept-answers/reserve';
import { SETTLE } from './postgres/kept-answers/settle';
import { SUMS } from './postgres/kept-answers/sums';

const zero = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().defaultTo(0);

/** Answers under idempotency keys have a budget for each caller: sums of what is kept, and records without an answer. */
export async function up(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await db.schema.alterTable('idempotency_records').addColumn('is_kept', 'integer', (column) => column.notNull().defaultTo(1)).execute();
  await db.schema
    .createTable('idempotency_sums')
    .addColumn('account_id', COLUMN_TYPES[dialect].id, (column) => column.primaryKey().references('accounts.id'))
    .addColumn('records', 'bigint', zero)
    .addColumn('bytes', 'bigint', zero)
    .execute();
  for (const statement of dialect === 'postgres' ? [...SUMS, ...RESERVE, ...SETTLE] : SQLITE_SUMS) await sql.raw(statement).execute(db);
}

/** Answers of up to 1 KiB are as cheap as the note that stands for one that was not kept, and count by number only. */
const bytesOf = (row: string): string => `case when length(${row}body) > 1024 then length(${row}body) else 0 end`;

const SQLITE_SUMS = [
  `create trigger idempotency_records_added after insert on idempotency_records begin
     insert into idempotency_sums (account_id, records, bytes) values (new.account_id, 1, ${bytesOf('new.')})
       on conflict (account_id) do update set records = records + 1, bytes = bytes + excluded.bytes;
   end`,
  `create trigger idempotency_records_deleted after delete on idempotency_records begin
     update idempotency_sums set records = records - 1, bytes = bytes - ${bytesOf('old.')} where account_id = old.account_id;
   end`,
  `create trigger idempotency_records_replaced after update of body on idempotency_records begin
     update idempotency_sums set bytes = bytes + ${bytesOf('new.')} - ${bytesOf('old.')} where account_id = new.account_id;
   end`,
  `insert into idempotency_sums (account_id, records, bytes)
     select account_id, count(*), sum(${bytesOf('')}) from idempotency_records group by account_id`,
];

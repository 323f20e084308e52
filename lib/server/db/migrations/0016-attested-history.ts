import { type Kysely, sql } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

/** Lets a measurement have several entries, and adds a table of the reports to which receipts refer. */
export async function addAttestedHistory(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  if (dialect === 'postgres')
    await sql`alter table measurements drop constraint if exists measurements_digest_key`.execute(db);
  else await rebuildWithoutUnique(db);
  for (const name of ['logged_at', 'is_return', 'is_current', 'skipped'])
    await db.schema
      .alterTable('measurements')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  await sql`update measurements set logged_at = last_seen`.execute(db);
  await sql`update measurements set is_current = 1
             where seq in (select max(seq) from measurements group by model, role)`.execute(db);
  await db.schema.createIndex('measurements_by_digest').on('measurements').columns(['digest', 'seq']).execute();
  await db.schema
    .createTable('attestation_reports')
    .addColumn('id', id, (column) =>
      dialect === 'postgres' ? column.generatedAlwaysAsIdentity().primaryKey() : column.primaryKey().autoIncrement(),
    )
    .addColumn('sha256', 'text', (column) => column.notNull().unique())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('signing_address', 'text')
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('report', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('attestation_reports_of_model')
    .on('attestation_reports')
    .columns(['model', 'id'])
    .execute();
}

/** SQLite cannot drop a constraint. */
async function rebuildWithoutUnique(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('measurements_of_model').execute();
  await db.schema.alterTable('measurements').renameTo('measurements_before').execute();
  await db.schema
    .createTable('measurements')
    .addColumn('seq', 'bigint', (column) => column.primaryKey())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('entry', 'text', (column) => column.notNull())
    .addColumn('last_seen', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into measurements select seq, digest, model, role, entry, last_seen from measurements_before`.execute(
    db,
  );
  await db.schema.dropTable('measurements_before').execute();
  await db.schema.createIndex('measurements_of_model').on('measurements').columns(['model', 'seq']).execute();
}

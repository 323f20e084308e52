import { PostgresAdapter, sql } from 'kysely';
import type { Database } from '@/lib/server/db/schema';

/** Returns all parts of a database's schema as sorted lines. Equal for databases with the same behavior. */
export async function schemaOf(db: Database): Promise<string[]> {
  const { rows } = await (db.getExecutor().adapter instanceof PostgresAdapter ? POSTGRES : SQLITE).execute(db);
  return rows.map(({ line }) => line.replaceAll(/\s+/g, ' ')).sort();
}

const SQLITE = sql<{ line: string }>`select type || ' ' || name || ' ' || coalesce(sql, '') as line from sqlite_master`;

const OURS = sql`(select oid from pg_namespace where nspname = current_schema())`;

const POSTGRES = sql<{ line: string }>`
  select format('%s %s column %s: %s %s %s default %s identity %s', c.relkind, c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, pg_get_expr(d.adbin, d.adrelid), a.attidentity) as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum where c.relnamespace = ${OURS} and c.relkind in ('r', 'v', 'c', 'S')
  union all select format('options %s %s', relname, reloptions) from pg_class where relnamespace = ${OURS}
  union all select format('view %s %s', relname, pg_get_viewdef(oid)) from pg_class where relnamespace = ${OURS} and relkind = 'v'
  union all select format('index %s', indexdef) from pg_indexes where schemaname = current_schema()
  union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint where connamespace = ${OURS}
  union all select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = ${OURS} and not t.tgisinternal
  union all select pg_get_functiondef(oid) from pg_proc where pronamespace = ${OURS}`;

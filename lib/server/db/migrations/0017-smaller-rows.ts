import { type Kysely, sql } from 'kysely';
import type { StoreDialect } from './column-types';

/**
 * Moves the ledger to smaller rows in `ledger_rows`. `ledger` becomes a view of them. Request ids of 32 hex characters
 * take 16 bytes. A resource with its detail is stored as an id if `ledger_names` contains the pair, otherwise as text.
 * On Postgres, `createFunctions` creates the triggers.
 */
export async function shrinkLedgerRows(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  for (const statement of dialect === 'postgres' ? POSTGRES : SQLITE) await sql.raw(statement).execute(db);
}

const NAMES_MAX = 10_000;

const POT = `case pot_number when 0 then 'diem' when 1 then 'bundled' when 2 then 'usd' when 3 then 'x402' end`;
const potNumber = (pot: string): string =>
  `case ${pot} when 'diem' then 0 when 'bundled' then 1 when 'usd' then 2 when 'x402' then 3 end`;

const FILL_NAMES = `insert into ledger_names (resource, detail)
  select resource, detail from ledger where kind = 'CHARGE' and archive_id is null and resource like 'rpc/%'
   group by resource, detail order by count(*) desc limit ${NAMES_MAX}`;

const USAGE = `create view usage as select min(id) as id, account_id, api_key_id, resource, detail, max(units) as units,
  cast(-sum(amount) as bigint) as amount, request_id, created_at from ledger where kind = 'CHARGE'
  group by account_id, request_id, api_key_id, resource, detail, created_at`;

const NO_REQUEST = `'00000000-0000-0000-0000-000000000000'`;
const REQUEST_ID = `case when request = ${NO_REQUEST}::uuid then reference else replace(request::text, '-', '') end`;
const REQUEST = `case when length(request_id) = 32 and request_id !~ '[^0-9a-f]' then request_id::uuid else ${NO_REQUEST} end`;

// The order of columns avoids padding. Rows without nulls need no null bitmap, which would take 8 bytes.
const POSTGRES = [
  'drop view usage',
  `create table ledger_names (
    id integer generated always as identity primary key, resource text collate "C" not null, detail text collate "C" not null,
    constraint ledger_names_once unique (resource, detail))`,
  `lock table ledger in access exclusive mode`,
  FILL_NAMES,
  `create table ledger_rows (
    id bigint generated always as identity,
    account_id bigint not null,
    amount bigint not null,
    balance_after bigint not null check (balance_after >= 0),
    units bigint not null,
    created_at bigint not null,
    api_key_id bigint,
    calls integer not null,
    name_id integer not null,
    archive_id integer not null,
    pot_number smallint not null,
    request uuid not null,
    kind text not null,
    reference text not null,
    resource text not null,
    detail text not null)`,
  `insert into ledger_rows (id, account_id, amount, balance_after, units, created_at, api_key_id, calls, name_id, archive_id, pot_number, request, kind, reference, resource, detail)
    overriding system value
    select l.id, account_id, amount, balance_after, units, created_at, api_key_id, calls, coalesce(n.id, 0), coalesce(archive_id, 0), ${potNumber('pot')},
           request, kind, case when request = ${NO_REQUEST} then request_id else '' end,
           case when n.id is null then l.resource else '' end, case when n.id is null then l.detail else '' end
      from (select *, ${REQUEST} as request from ledger offset 0) l left join ledger_names n on n.resource = l.resource and n.detail = l.detail`,
  // Continues the old sequence, so that no row id is used twice.
  `select setval('ledger_rows_id_seq', last_value, is_called) from ledger_id_seq`,
  'drop table ledger',
  'alter table ledger_rows add primary key (id)',
  'create index ledger_by_account on ledger_rows (account_id, created_at, units)',
  `create index ledger_of_prepaid on ledger_rows (account_id, id) where (${POT}) = 'x402'`,
  `create index ledger_of_prepaid_grants on ledger_rows (account_id) where (${POT}) = 'x402' and kind = 'GRANT'`,
  `create index ledger_of_refunds on ledger_rows ((${REQUEST_ID})) where kind = 'REFUND'`,
  `create index ledger_of_archives on ledger_rows (nullif(archive_id, 0)) where nullif(archive_id, 0) is not null`,
  `create index ledger_of_movements on ledger_rows (kind, (${REQUEST_ID})) where kind <> 'CHARGE'`,
  `create view ledger as select r.id, account_id, ${POT} as pot, kind, amount, balance_after, api_key_id, coalesce(n.resource, r.resource) as resource,
      coalesce(n.detail, r.detail) as detail, units, ${REQUEST_ID} as request_id, created_at, calls::bigint as calls, nullif(archive_id, 0) as archive_id
     from ledger_rows r left join ledger_names n on n.id = r.name_id`,
  'alter view ledger alter column calls set default 1',
  USAGE,
  'analyze ledger_rows',
];

const KINDS = ['CHARGE', 'GRANT', 'ALLOCATION', 'EXPIRY', 'TOP_UP', 'REFUND', 'WITHDRAWAL', 'REVERSAL'];
const KIND = `case kind_number ${KINDS.map((kind, number) => `when ${number} then '${kind}'`).join(' ')} end`;
const kindNumber = (column: string): string =>
  `case ${column} ${KINDS.map((kind, number) => `when '${kind}' then ${number}`).join(' ')} end`;
const bytesOf = (id: string): string =>
  `case when length(${id}) = 32 and ${id} not glob '*[^0-9a-f]*' then unhex(${id}) else ${id} end`;

const SQLITE = [
  'drop view usage',
  'create table ledger_names (id integer primary key, resource text not null, detail text not null, unique (resource, detail))',
  FILL_NAMES,
  // A column without a type, such as `request`, stores bytes and text unconverted. Virtual columns take no space.
  `create table ledger_rows (
    id integer primary key,
    account_id integer not null references accounts (id),
    pot_number integer not null,
    kind_number integer not null,
    amount bigint not null,
    balance_after bigint not null check (balance_after >= 0),
    api_key_id integer,
    name_id integer,
    resource text,
    detail text,
    units bigint not null,
    request not null,
    created_at bigint not null,
    calls bigint not null default 1,
    archive_id integer,
    pot text generated always as (${POT}) virtual,
    kind text generated always as (${KIND}) virtual,
    request_id text generated always as (case typeof(request) when 'blob' then lower(hex(request)) else request end) virtual,
    check (name_id is not null or (resource is not null and detail is not null)))`,
  `insert into ledger_rows (id, account_id, pot_number, kind_number, amount, balance_after, api_key_id, name_id, resource, detail, units, request, created_at, calls, archive_id)
    select l.id, account_id, ${potNumber('pot')}, ${kindNumber('kind')}, amount, balance_after, api_key_id, n.id, iif(n.id is null, l.resource, null),
           iif(n.id is null, l.detail, null), units, ${bytesOf('request_id')}, created_at, calls, archive_id
      from ledger l left join ledger_names n on n.resource = l.resource and n.detail = l.detail order by l.id`,
  'drop table ledger',
  'create index ledger_by_account on ledger_rows (account_id, created_at, units)',
  "create index ledger_of_prepaid on ledger_rows (account_id, id) where pot = 'x402'",
  "create index ledger_of_prepaid_grants on ledger_rows (account_id) where pot = 'x402' and kind = 'GRANT'",
  "create index ledger_of_refunds on ledger_rows (request_id) where kind = 'REFUND'",
  'create index ledger_of_archives on ledger_rows (archive_id) where archive_id is not null',
  "create index ledger_of_movements on ledger_rows (kind, request_id) where kind <> 'CHARGE'",
  `create view ledger as select id, account_id, pot, kind, amount, balance_after, api_key_id,
     coalesce(resource, (select n.resource from ledger_names n where n.id = name_id)) as resource,
     coalesce(detail, (select n.detail from ledger_names n where n.id = name_id)) as detail,
     units, request_id, created_at, calls, archive_id from ledger_rows`,
  USAGE,
  `create trigger ledger_enters_row instead of insert on ledger begin
     insert into ledger_rows (id, account_id, pot_number, kind_number, amount, balance_after, api_key_id, resource, detail, units, request, created_at, calls, archive_id)
     values (new.id, new.account_id, ${potNumber('new.pot')}, ${kindNumber('new.kind')}, new.amount, new.balance_after, new.api_key_id, new.resource, new.detail, new.units, ${bytesOf('new.request_id')}, new.created_at, coalesce(new.calls, 1), new.archive_id);
   end`,
  ...['update', 'delete'].map(
    (change) =>
      `create trigger ledger_view_refuses_${change} instead of ${change} on ledger begin select raise(abort, 'the ledger is append-only'); end`,
  ),
  "create trigger ledger_refuses_update before update on ledger_rows begin select raise(abort, 'the ledger is append-only'); end",
  `create trigger ledger_refuses_delete before delete on ledger_rows
     when old.kind_number <> 0 or not exists (select 1 from ledger_archiving where old.created_at < before_at)
     begin select raise(abort, 'the ledger is append-only'); end`,
  ...['update', 'delete'].map(
    (change) =>
      `create trigger ledger_names_refuse_${change} before ${change} on ledger_names begin select raise(abort, 'the ledger is append-only'); end`,
  ),
];

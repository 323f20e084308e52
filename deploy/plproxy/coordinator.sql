-- Makes a migrated database the coordinator of partitions, on servers with PL/Proxy (Debian: postgresql-15-plproxy).
-- Creates the schema `routed`, which comes first in the search path. It has no data, but foreign tables on the partitions
-- (postgres_fdw) and functions that run on an account's partition (PL/Proxy). Keys, wallets, payments, signers, the audit
-- log and the list of accounts stay in the schema `public`.
--
-- To set up, with empty databases:
--   DATABASE_URL=… npm run admin -- accounts list      on the coordinator and each partition, to migrate them
--   psql "$PARTITION" -f partition.sql                 on each partition
--   psql "$COORDINATOR" -v ON_ERROR_STOP=1 -c "set turnpike.partitions = '[{\"host\": \"db-1\", \"dbname\": \"turnpike\", \"user\": \"turnpike\", \"password\": \"…\"}, …]'" -f coordinator.sql
-- A superuser must run psql. The number of partitions must be a power of two. Never change their order, because it
-- decides on which partition an account is. Allow two connections to each partition for each one to the coordinator.
-- To migrate, stop the gateways, `drop schema routed cascade` on the coordinator, and repeat these commands.
--
-- What does not work or differs:
-- - retention.ledgerDays: archiving fails.
-- - Each `ledger check` reads everything. Run it while no payment or withdrawal is being recorded.
-- - Credits, withdrawals and new accounts run one at a time. If their account is charged at that moment, the request may
--   fail with 503 STORE_UNAVAILABLE, without effect.
-- - While a partition is down, batches with its calls are sent again call by call, which is slower for all callers.
-- - Commits are not atomic across servers. If the coordinator fails between two commits, a payment may stay open. It is
--   never credited twice, and `ledger check` names it.

create extension if not exists plproxy;
create extension if not exists postgres_fdw;
drop schema if exists routed cascade;
create schema routed;
set search_path = routed, public;

-- The result `& (partitions - 1)` is the number of an account's partition, the same as in `partition by hash`.
create function routed.turnpike_partition(p_account_id bigint) returns integer language sql immutable parallel safe as
$$ select ((hashint8extended(p_account_id, 8816678312871386365) & 1023) + (5305509591434766563 & 1023))::integer & 1023 $$;

do $$
declare
  v_servers jsonb := current_setting('turnpike.partitions');
  v_count integer := jsonb_array_length(v_servers);
  v_list text;
  v_user name := (select tableowner from pg_tables where schemaname = 'public' and tablename = 'meters');
  v_as name;
  v_table text;
  v_columns text;
  s jsonb;
  i integer;
begin
  if v_count & (v_count - 1) <> 0 or v_count not between 1 and 1024 then raise exception 'The number of partitions must be a power of two.'; end if;
  drop server if exists turnpike cascade;
  select string_agg(format('p%s %L', o - 1, (select string_agg(format('%s=%s', key, value), ' ') from jsonb_each_text(e - 'user' - 'password'))), ', ' order by o)
    into v_list from jsonb_array_elements(v_servers) with ordinality as t (e, o);
  execute format('create server turnpike foreign data wrapper plproxy options (%s)', v_list);
  s := v_servers -> 0;
  foreach v_as in array array[v_user, current_user] loop
    execute format('create user mapping if not exists for %I server turnpike options (user %L, password %L)', v_as, s ->> 'user', coalesce(s ->> 'password', ''));
  end loop;
  execute format('grant usage on foreign server turnpike to %I', v_user);

  for i in 0 .. v_count - 1 loop
    s := v_servers -> i;
    execute format('drop server if exists turnpike_p%s cascade', i);
    select string_agg(format('%s %L', key, value), ', ') into v_list from jsonb_each_text(s - 'user' - 'password');
    execute format('create server turnpike_p%s foreign data wrapper postgres_fdw options (%s, async_capable ''true'', batch_size ''100'', fetch_size ''1000'')', i, v_list);
    foreach v_as in array array[v_user, current_user] loop
      execute format('create user mapping if not exists for %I server turnpike_p%s options (user %L, password %L)', v_as, i, s ->> 'user', coalesce(s ->> 'password', ''));
    end loop;
    execute format('grant usage on foreign server turnpike_p%s to %I', i, v_user);
  end loop;

  -- Tables with an account. accounts_copy and api_keys_copy have the coordinator's data that the partitions read.
  foreach v_table in array array['meters', 'reservations', 'allocations', 'credit_minutes', 'ledger', 'charge_days', 'idempotency_records',
      'idempotency_sums', 'video_requests', 'withdrawals', 'requests', 'receipts', 'accounts_copy', 'api_keys_copy'] loop
    execute format('create table routed.%I (like public.%I including defaults) partition by hash (%I)', v_table, replace(v_table, '_copy', ''),
      case when v_table = 'accounts_copy' then 'id' else 'account_id' end);
    for i in 0 .. v_count - 1 loop
      execute format('create foreign table routed.%I partition of routed.%I for values with (modulus %s, remainder %s) server turnpike_p%s options (schema_name ''public'', table_name %L)',
        format('%s_p%s', v_table, i), v_table, v_count, i, i, replace(v_table, '_copy', ''));
    end loop;
  end loop;
  -- Rows are deleted by id alone, so the ids of all partitions must differ.
  alter table routed.requests alter column id set default nextval('public.requests_id_seq');
  alter table routed.receipts alter column id set default nextval('public.receipts_id_seq');

  -- Tables without an account. Only the partitions add rows.
  foreach v_table in array array['key_spend', 'ledger_days'] loop
    execute format('create table routed.%I (like public.%I)', v_table, v_table);
    for i in 0 .. v_count - 1 loop
      execute format('create foreign table routed.%I () inherits (routed.%I) server turnpike_p%s options (schema_name ''public'', table_name %L)',
        format('%s_p%s', v_table, i), v_table, i, v_table);
    end loop;
  end loop;

  -- Copies of functions and of a view that the gateway's statements use. The copies read the tables above.
  execute replace(pg_get_functiondef('public.turnpike_diem(public.meters, bigint)'::regprocedure), 'public.', 'routed.');
  execute replace(pg_get_functiondef('public.turnpike_is_roomy(public.meters, text, jsonb, bigint)'::regprocedure), 'public.', 'routed.');
  execute 'create view routed.usage as ' || replace(pg_get_viewdef('public.usage'), 'public.', 'routed.');

  -- Triggers copy an account's tier and its keys in the transaction that changes them.
  select string_agg(format('%I = new.%I', attname, attname), ', ') into v_columns
    from pg_attribute where attrelid = 'public.api_keys'::regclass and attnum > 0 and not attisdropped and attname not in ('id', 'account_id');
  execute format($copy$
    create function routed.turnpike_copy_key() returns trigger language plpgsql as $body$
    begin
      if tg_op = 'INSERT' then insert into routed.api_keys_copy select new.*;
      else update routed.api_keys_copy set %s where account_id = new.account_id and id = new.id;
      end if;
      return null;
    end $body$ $copy$, v_columns);
  execute format('alter database %I set search_path = routed, public', current_database());
  execute format('alter database %I set enable_partitionwise_join = on', current_database());
  execute format('alter database %I set enable_partitionwise_aggregate = on', current_database());
end $$;

create trigger api_keys_copied after insert or update on public.api_keys for each row execute function routed.turnpike_copy_key();

create function routed.turnpike_copy_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then insert into routed.accounts_copy (id, label, tier, created_at) values (new.id, '', new.tier, new.created_at);
  elsif tg_op = 'UPDATE' then update routed.accounts_copy set tier = new.tier where id = new.id;
  else delete from routed.accounts_copy where id = old.id;
  end if;
  return null;
end $$;
create trigger accounts_copied after insert or delete on public.accounts for each row execute function routed.turnpike_copy_account();
create trigger accounts_changed after update on public.accounts for each row when (new.tier <> old.tier) execute function routed.turnpike_copy_account();

-- Transactions of postgres_fdw are repeatable read. Such a transaction does not see later commits, and fails if another
-- one has changed the same row. So transactions that create accounts or move money run one at a time. They wait here
-- before they reach a partition. Charges do not use these tables.
create function routed.turnpike_take_turn() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(8201);
  return null;
end $$;
create trigger accounts_in_turn before insert on public.accounts for each statement execute function routed.turnpike_take_turn();
create trigger meters_in_turn before update on routed.meters for each statement execute function routed.turnpike_take_turn();

-- Makes archiving fail. Otherwise it would find no rows on the coordinator and report that there is nothing to archive.
create or replace trigger ledger_is_on_partitions before delete on public.ledger_rows
  for each statement execute function public.turnpike_refuse_ledger_change();

-- Each partition numbers its own ledger, so no single id says how far a check has come. Each check reads everything.
create function routed.turnpike_keep_no_proof() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger installation_without_proof before insert on public.installation
  for each row when (new.name = 'ledger-proof') execute function routed.turnpike_keep_no_proof();

-- Raises the error 40003, because one partition may have committed before another failed. The gateway then looks up the
-- calls before it sends them again. If the only partition refused the whole statement, raises that partition's error.
create function routed.turnpike_fail(p_state text, p_message text, p_partitions integer[]) returns void language plpgsql as $$
begin
  if p_partitions[1] = all (p_partitions) and p_state ~ '^(P0|22|23|55P03)' then raise exception using errcode = p_state, message = p_message; end if;
  raise exception using errcode = '40003', message = p_message;
end $$;

create function routed.turnpike_meter_part(
  p_partition integer[], p_call jsonb[], p_bodies bytea, p_limits jsonb, p_durable boolean, p_wait_ms integer)
returns table (item integer, outcome text, refusal jsonb, replay bytea, remaining bigint, room bigint) language plproxy as $$
  cluster 'turnpike';
  split p_partition, p_call;
  run on p_partition;
  target turnpike_meter_part;
$$;

create function routed.turnpike_meter(p_calls jsonb, p_bodies bytea, p_limits jsonb, p_durable boolean, p_wait_ms integer)
returns table (item integer, outcome text, refusal jsonb, replay bytea, remaining bigint, room bigint) language plpgsql as $$
declare
  v_partitions integer[];
  v_calls jsonb[];
begin
  select array_agg(turnpike_partition((c -> 'account_id')::bigint)), array_agg(c) into v_partitions, v_calls from jsonb_array_elements(p_calls) as c;
  return query select * from turnpike_meter_part(v_partitions, v_calls, p_bodies, p_limits, p_durable, p_wait_ms);
exception when query_canceled or others then
  perform turnpike_fail(sqlstate, sqlerrm, v_partitions);
end $$;

create function routed.turnpike_charge_part(
  p_partition integer[], p_item integer[], p_account bigint[], p_at bigint[], p_purse text[], p_key_hash text[], p_api_key_id bigint[], p_amount bigint[],
  p_credits bigint[], p_units bigint[], p_resource text[], p_detail text[], p_request_id text[], p_limits jsonb, p_wait_ms integer,
  p_before bigint[], p_total bigint[], p_total_credits bigint[], p_calls integer[], p_later integer[])
returns table (item integer, remaining bigint, room bigint) language plproxy as $$
  cluster 'turnpike';
  split p_partition, p_item, p_account, p_at, p_purse, p_key_hash, p_api_key_id, p_amount, p_credits, p_units, p_resource, p_detail, p_request_id,
    p_before, p_total, p_total_credits, p_calls, p_later;
  run on p_partition;
  target turnpike_charge_part;
$$;

create function routed.turnpike_charge_at_once(
  p_account bigint[], p_at bigint[], p_purse text[], p_key_hash text[], p_api_key_id bigint[], p_amount bigint[], p_credits bigint[],
  p_units bigint[], p_resource text[], p_detail text[], p_request_id text[], p_limits jsonb, p_wait_ms integer default null,
  p_before bigint[] default null, p_total bigint[] default null, p_total_credits bigint[] default null, p_calls integer[] default null, p_later integer[] default null,
  out items integer[], out remaining bigint[], out room bigint[], out skipped integer[]) language plpgsql as $$
declare
  v_partitions integer[];
  v_items integer[];
begin
  select array_agg(turnpike_partition(a)), array_agg(i) into v_partitions, v_items from unnest(p_account) with ordinality as t (a, i);
  -- Replaces null arrays, because PL/Proxy cannot split them.
  select array_agg(c.item) filter (where c.remaining is not null), array_agg(c.remaining) filter (where c.remaining is not null),
         array_agg(c.room) filter (where c.remaining is not null), array_agg(c.item) filter (where c.remaining is null)
    into items, remaining, room, skipped
    from turnpike_charge_part(v_partitions, v_items, p_account, p_at, p_purse, p_key_hash, p_api_key_id, p_amount, p_credits, p_units, p_resource, p_detail, p_request_id, p_limits,
           p_wait_ms, coalesce(p_before, array_fill(0::bigint, array[cardinality(p_account)])), coalesce(p_total, p_amount), coalesce(p_total_credits, p_credits),
           coalesce(p_calls, array_fill(1, array[cardinality(p_account)])), coalesce(p_later, array_fill(0, array[cardinality(p_account)]))) as c;
exception when query_canceled or others then
  perform turnpike_fail(sqlstate, sqlerrm, v_partitions);
end $$;

create function routed.turnpike_allocate(p_account_id bigint, p_amount bigint, p_staked text, p_pool text, p_at bigint)
returns table (epoch integer, amount bigint) language plproxy as $$
  cluster 'turnpike';
  run on turnpike_partition(p_account_id);
  target turnpike_allocate;
$$;

create function routed.turnpike_learn_part(p_resource text[], p_detail text[]) returns setof integer language plproxy as $$
  cluster 'turnpike';
  run on all;
  target turnpike_learn_names;
$$;

create function routed.turnpike_learn_names(p_resource text[], p_detail text[]) returns integer language sql as
$$ select sum(n)::integer from turnpike_learn_part(p_resource, p_detail) as n $$;

create function routed.turnpike_expire_part(p_now bigint) returns setof integer language plproxy as $$
  cluster 'turnpike';
  run on all;
  target turnpike_expire_all;
$$;

create function routed.turnpike_expire_all(p_now bigint) returns integer language sql as
$$ select sum(n)::integer from turnpike_expire_part(p_now) as n $$;

create function routed.turnpike_forget_part(p_until bigint, p_count integer) returns setof integer language plproxy as $$
  cluster 'turnpike';
  run on all;
  target turnpike_forget_records;
$$;

create function routed.turnpike_forget_records(p_until bigint, p_count integer) returns integer language sql as
$$ select sum(n)::integer from turnpike_forget_part(p_until, p_count) as n $$;

do $$
declare
  v_user name := (select tableowner from pg_tables where schemaname = 'public' and tablename = 'meters');
begin
  execute format('grant usage on schema routed to %I', v_user);
  execute format('grant all on all tables in schema routed to %I', v_user);
end $$;

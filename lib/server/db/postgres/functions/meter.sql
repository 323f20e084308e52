-- Runs a batch of calls of any number of callers in one statement, which is one transaction. Runs simple calls together
-- and then the rest one by one (turnpike_meter_in_turn). 16 calls together take a third of the time that they take one
-- by one. Callers with several calls in the batch are served one by one, because the second call must see the first.
-- p_calls: an array of objects with the attributes of turnpike_call. p_bodies: the answers to keep for replays,
-- concatenated; each call has its position. p_limits: see turnpike_reserve.
-- p_durable: if false, the commit does not wait for the disk. Use false for reservations only. A crash may lose them,
-- because the gateway answers a call only after its charge is on disk.
-- p_wait_ms: how long to wait for a meter that another transaction holds. Null skips its caller.
-- Returns a row for each call: see turnpike_meter_in_turn.
create or replace function turnpike_meter(p_calls jsonb, p_bodies bytea, p_limits jsonb, p_durable boolean, p_wait_ms integer)
returns table (item integer, outcome text, refusal jsonb, replay bytea, remaining bigint, room bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_calls turnpike_call[];
  v_alone bigint[];
  v_plain turnpike_call[];
  v_reserves boolean;
  v_settles boolean;
  v_done integer[] := '{}';
  v_now bigint;
begin
  -- Every look-up is by key. Tables such as reservations are often analysed while empty, and Postgres would keep a plan
  -- that scans the whole table. A generic plan saves planning for each batch size.
  perform set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
    set_config('plan_cache_mode', 'force_generic_plan', true);
  if not p_durable then perform set_config('synchronous_commit', 'off', true); end if;
  select array_agg(c), bool_or(c.kind = 'reserve'), bool_or(c.kind = 'settle') into v_calls, v_reserves, v_settles
    from jsonb_populate_recordset(null::turnpike_call, p_calls) as c;
  if p_wait_ms is not null then
    perform set_config('lock_timeout', p_wait_ms::text, true);
  else
    select array_agg(account_id) into v_alone
      from (select m.account_id
              from (select account_id from unnest(v_calls) group by account_id having count(*) = 1) as alone join meters m using (account_id)
             order by account_id for no key update of m skip locked) as locked;
    if cardinality(v_alone) = cardinality(v_calls) then
      v_plain := v_calls;
    else
      select array_agg(c) into v_plain from unnest(v_calls) as c where c.account_id = any(v_alone);
    end if;
    v_now := turnpike_now();
    if v_reserves then
      outcome := 'admitted';
      for item, remaining in select * from turnpike_reserve_together(v_plain, p_limits, v_now) loop
        v_done := v_done || item;
        return next;
      end loop;
    end if;
    if v_settles then
      outcome := 'settled';
      for item, remaining in select * from turnpike_settle_together(v_plain, v_now) loop
        v_done := v_done || item;
        return next;
      end loop;
    end if;
  end if;
  if cardinality(v_done) < cardinality(v_calls) then
    return query select * from turnpike_meter_in_turn((select array_agg(c) from unnest(v_calls) as c where c.item <> all(v_done)), p_bodies, p_limits, p_wait_ms);
  end if;
end $$;

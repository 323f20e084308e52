-- Runs calls one after the other. Takes callers by ascending account id, so that two of these statements cannot
-- deadlock, and the calls of one caller in the order of their items.
-- kind: 'reserve'; 'hold', a reservation to which the RPC caps on requests and credits do not apply (the cap on
-- idempotency keys does); 'settle'; 'charge', which admits and charges a finished call; 'note', which writes the
-- checkpoint of a running call; any other value releases the reservation.
-- outcome: that of turnpike_reserve, turnpike_settle or turnpike_note. A release returns 'released' or 'gone'.
-- 'contended' means that nothing was done, because p_wait_ms is null and another transaction holds the caller's meter.
-- room: after a charge, how much the caller's next call may cost if the gateway forwards it before admission; 0 if it
-- may not.
create or replace function turnpike_meter_in_turn(p_calls turnpike_call[], p_bodies bytea, p_limits jsonb, p_wait_ms integer)
returns table (item integer, outcome text, refusal jsonb, replay bytea, remaining bigint, room bigint) language plpgsql as $$
#variable_conflict use_column
declare
  c turnpike_call;
  m meters;
  v_account bigint;
  v_now bigint;
  v_minute_started_at bigint;
  v_minute_requests integer;
  r record;
begin
  for c in select * from unnest(p_calls) order by account_id, item loop
    if v_account is distinct from c.account_id then
      if m.account_id is not null then perform turnpike_keep(m); end if;
      m := turnpike_lock(c.account_id, p_wait_ms is not null);
      v_account := c.account_id;
    end if;
    item := c.item;
    refusal := null;
    replay := null;
    remaining := null;
    room := null;
    if m.account_id is null then
      outcome := 'contended';
      return next;
      continue;
    end if;
    v_now := coalesce(c.at, turnpike_now());
    if c.kind in ('reserve', 'hold', 'charge') then
      if m.lease_due_at <= v_now then m := turnpike_expire(m, v_now); end if;
    end if;
    if c.kind = 'charge' and (c.attempt > 1 and turnpike_was_charged(m.account_id, c.request_id)
        or p_wait_ms is not null and c.at is null and turnpike_was_charged_meanwhile(m.account_id, array[c.request_id])) then
      outcome := 'settled';
      remaining := turnpike_purse(m, c.purse, v_now);
    elsif c.kind in ('reserve', 'hold', 'charge') then
      v_minute_started_at := m.minute_started_at;
      v_minute_requests := m.minute_requests;
      r := turnpike_reserve(m, c, case when c.kind = 'hold' then jsonb_build_object('keysPerCaller', p_limits -> 'keysPerCaller') else p_limits end, v_now);
      m := r.m;
      outcome := r.outcome;
      refusal := r.refusal;
      replay := r.replay;
      remaining := r.remaining;
      if c.kind = 'hold' then
        m.minute_started_at := v_minute_started_at;
        m.minute_requests := v_minute_requests;
      elsif c.kind = 'charge' and outcome = 'admitted' then
        r := turnpike_settle(m, c, null, v_now);
        m := r.m;
        outcome := r.outcome;
        remaining := r.remaining;
        room := case when turnpike_is_roomy(m, c.key_hash, p_limits, v_now) then turnpike_room(turnpike_spendable(m, c.purse, v_now)) else 0 end;
      end if;
    elsif c.kind = 'settle' then
      r := turnpike_settle(m, c, substr(p_bodies, c.body_start + 1, c.body_bytes), v_now);
      m := r.m;
      outcome := r.outcome;
      remaining := r.remaining;
    elsif c.kind = 'note' then
      outcome := turnpike_note(m, c, v_now);
    else
      r := turnpike_free(m, c.reservation);
      m := r.m;
      outcome := case when (r.r).id is null then 'gone' else 'released' end;
    end if;
    return next;
  end loop;
  if m.account_id is not null then perform turnpike_keep(m); end if;
end $$;

-- Runs a batch of calls of any number of callers in one statement, which is one transaction. Runs simple calls
-- together, and then the rest one by one (turnpike_meter_in_turn). 16 calls together take a third of the time that they
-- take one by one. Several calls of one caller run one by one, because the second call must see the first.
-- p_calls: an array of objects with the attributes of turnpike_call. p_bodies: the answers to store, concatenated; each
-- call has its position. p_limits: see turnpike_reserve.
-- p_durable: if false, the commit does not wait for the disk. Use false only for reservations. A crash may lose them,
-- but the gateway answers a call only after its charge is on disk.
-- p_wait_ms: how long to wait for a meter that another transaction holds. Null skips its caller.
-- Returns a row for each call: see turnpike_meter_in_turn.
create or replace function turnpike_meter(p_calls jsonb, p_bodies bytea, p_limits jsonb, p_durable boolean, p_wait_ms integer)
returns table (item integer, outcome text, refusal jsonb, replay bytea, remaining bigint, room bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_calls turnpike_call[];
  v_alone bigint[];
  v_due bigint[];
  v_minute integer;
  v_plain turnpike_call[];
  v_reserves boolean;
  v_settles boolean;
  v_done integer[] := '{}';
  v_now bigint;
begin
  -- All look-ups are by key. Postgres often analyses tables such as reservations while they are empty, and would then
  -- keep a plan that scans the whole table. A generic plan saves planning for each batch size.
  perform set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
    set_config('plan_cache_mode', 'force_generic_plan', true);
  if not p_durable then perform set_config('synchronous_commit', 'off', true); end if;
  select array_agg(c), bool_or(c.kind = 'reserve'), bool_or(c.kind = 'settle') into v_calls, v_reserves, v_settles
    from jsonb_populate_recordset(null::turnpike_call, p_calls) as c;
  if p_wait_ms is not null then
    perform set_config('lock_timeout', p_wait_ms::text, true);
  else
    v_minute := coalesce(v_calls[1].at, turnpike_now()) / 60000;
    select array_agg(account_id), array_agg(account_id) filter (where credits_minute <> v_minute or (spent_minute <> v_minute and spent_credits > 0))
      into v_alone, v_due
      from (select m.account_id, m.credits_minute, m.spent_minute, m.spent_credits
              from (select account_id from unnest(v_calls) group by account_id having count(*) = 1) as alone join meters m using (account_id)
             order by account_id for no key update of m skip locked) as locked;
    if cardinality(v_alone) = cardinality(v_calls) then
      v_plain := v_calls;
    else
      select array_agg(c) into v_plain from unnest(v_calls) as c where c.account_id = any(v_alone);
    end if;
    v_now := turnpike_now();
    if v_due is not null then perform turnpike_begin_minute(v_due, v_minute); end if;
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

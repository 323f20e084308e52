-- Runs calls one after the other, those of one caller in the order of their items. Takes callers by ascending account
-- id, so that two of these statements cannot deadlock.
-- kind: 'reserve'; 'hold', a reservation that the RPC request and credit caps neither count nor refuse (the cap on
-- idempotency keys still applies); 'settle'; 'charge', which admits and charges a finished call; 'note', which writes
-- the checkpoint of a running call; any other value releases the reservation.
-- outcome: as turnpike_reserve, turnpike_settle and turnpike_note return it. A release returns 'released' or 'gone'.
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
      if m.spent_credits > 0 then m := turnpike_flush_credits(m); end if;
    end if;
    if c.kind = 'charge' and c.attempt > 1 and turnpike_was_charged(m.account_id, c.request_id) then
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

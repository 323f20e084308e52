-- Deletes a caller's expired reservations and takes their holds off the meter. First charges the checkpoint (noted_*)
-- of each long-running call, but at most what the call held.
create or replace function turnpike_expire(inout m meters, p_now bigint) language plpgsql as $$
declare
  gone record;
  r reservations;
  c turnpike_call;
begin
  for r in select * from reservations where account_id = m.account_id and expires_at <= p_now and noted_amount > 0 loop
    c := null;
    c.account_id := r.account_id;
    c.reservation := r.id;
    c.purse := r.purse;
    c.api_key_id := r.api_key_id;
    c.amount := least(r.noted_amount, r.diem + r.bundled + r.usd + r.x402);
    c.credits := 0;
    c.units := r.noted_units;
    c.resource := r.noted_resource;
    c.detail := r.noted_detail;
    c.request_id := r.noted_request_id;
    gone := turnpike_settle(m, c, null, p_now);
    m := gone.m;
  end loop;
  with expired as (delete from reservations where account_id = m.account_id and expires_at <= p_now returning *)
  select coalesce(sum(diem) filter (where diem_epoch = m.diem_epoch), 0)::bigint as diem, coalesce(sum(bundled), 0)::bigint as bundled, coalesce(sum(usd), 0)::bigint as usd,
         coalesce(sum(x402), 0)::bigint as x402, coalesce(sum(credits), 0)::bigint as credits
    into gone from expired;
  m.held_diem := m.held_diem - gone.diem;
  m.held_bundled := m.held_bundled - gone.bundled;
  m.held_usd := m.held_usd - gone.usd;
  m.held_x402 := m.held_x402 - gone.x402;
  m.held_credits := m.held_credits - gone.credits;
  select min(expires_at) into m.lease_due_at from reservations where account_id = m.account_id;
end $$;

-- Runs turnpike_expire for at most 1,000 callers with expired reservations, so that callers who never call again are
-- included. Takes them by ascending account id. Skips a caller whose meter is locked. Returns the number of callers it
-- processed.
create or replace function turnpike_expire_all(p_now bigint) returns integer language plpgsql as $$
declare
  v_now bigint := coalesce(p_now, turnpike_now());
  v_account bigint;
  m meters;
  v_count integer := 0;
begin
  for v_account in select distinct account_id from reservations where expires_at <= v_now order by account_id limit 1000 loop
    m := turnpike_lock(v_account, false);
    continue when m.account_id is null;
    m := turnpike_expire(m, v_now);
    perform turnpike_keep(m);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

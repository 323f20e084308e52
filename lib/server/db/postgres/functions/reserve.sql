-- Returns why a key's own limits refuse this hold, or null. Counts what the key spent in its period and what it holds.
-- p_usd: the part of the hold that is not daily allocation. p_x402: the prepaid part of p_usd, which a key without
-- limit_prepaid may not spend.
create or replace function turnpike_key_refusal(p_key api_keys, p_diem bigint, p_usd bigint, p_x402 bigint, p_now bigint) returns jsonb language plpgsql as $$
declare
  spent record;
  held record;
begin
  select coalesce(sum(usd), 0) as usd, coalesce(sum(diem), 0) as diem, coalesce(sum(prepaid), 0) as prepaid into spent
    from key_spend where api_key_id = p_key.id and period = turnpike_period(p_key.limit_period, p_now);
  select coalesce(sum(bundled + usd + x402), 0) as usd, coalesce(sum(diem), 0) as diem, coalesce(sum(x402), 0) as prepaid into held
    from reservations where account_id = p_key.account_id and api_key_id = p_key.id;
  if p_diem > 0 and spent.diem + held.diem + p_diem > p_key.limit_diem then
    return jsonb_build_object('reason', 'key-limit', 'currency', 'diem', 'period', p_key.limit_period);
  elsif p_usd > 0 and spent.usd + held.usd + p_usd > p_key.limit_usd then
    return jsonb_build_object('reason', 'key-limit', 'currency', 'usd', 'period', p_key.limit_period);
  elsif p_x402 > 0 and spent.prepaid + held.prepaid + p_x402 > coalesce(p_key.limit_prepaid, 0) then
    return jsonb_build_object('reason', 'key-limit', 'currency', 'prepaid', 'period', p_key.limit_period);
  end if;
  return null;
end $$;

-- Admits one call under its caller's lock, or says why not. Makes the same checks in the same order as the SQLite
-- meter.
-- outcome: 'admitted', and the maximum cost of the call is held; 'refused', with the refusal in the gateway's format;
-- or 'replayed', with the answer stored under the idempotency key.
-- remaining: what can still be reserved from the purse.
-- From the second attempt on, an existing reservation means that an earlier attempt was admitted and its answer was
-- lost.
-- p_limits: requestsPerMinute and creditsPerDay by tier, and keysPerCaller. A missing or null limit is unlimited.
create or replace function turnpike_reserve(inout m meters, c turnpike_call, p_limits jsonb, p_now bigint,
  out outcome text, out refusal jsonb, out replay bytea, out remaining bigint) language plpgsql as $$
declare
  v_tier text;
  k api_keys;
  kept record;
  v_in_minute boolean;
  v_cap bigint;
  v_left bigint;
  v_rest bigint := c.amount;
  v_diem bigint := 0;
  v_bundled bigint := 0;
  v_usd bigint := 0;
  v_x402 bigint := 0;
begin
  outcome := 'refused';
  if c.attempt > 1 and exists (select from reservations where account_id = m.account_id and id = c.reservation) then
    outcome := 'admitted';
    remaining := turnpike_spendable(m, c.purse, p_now);
    return;
  end if;
  select tier into v_tier from accounts where id = m.account_id;

  select * into k from api_keys where hash = c.key_hash;
  if c.key_hash is not null then
    if k.id is null or k.revoked_at is not null then
      refusal := '{"reason": "key-revoked"}';
      return;
    elsif k.expires_at <= p_now then
      refusal := '{"reason": "key-expired"}';
      return;
    end if;
  end if;

  v_in_minute := turnpike_is_in_minute(m.minute_started_at, p_now);
  v_cap := p_limits -> 'requestsPerMinute' ->> v_tier;
  if v_in_minute and m.minute_requests >= v_cap then
    refusal := jsonb_build_object('reason', 'minute-cap', 'limit', v_cap, 'remaining', 0, 'resetAt', m.minute_started_at + 60000);
    return;
  end if;

  if c.idempotency_key is not null then
    if exists (select from reservations where account_id = m.account_id and idempotency_key = c.idempotency_key) then
      refusal := '{"reason": "collision", "kind": "idempotency-key"}';
      return;
    end if;
    select fingerprint, body, is_kept into kept from idempotency_records
      where account_id = m.account_id and key = c.idempotency_key and created_at > p_now - 86400000;
    if found and kept.fingerprint <> c.fingerprint then
      refusal := '{"reason": "key-reused"}';
      return;
    elsif found then
      m := turnpike_count_request(m, v_in_minute, p_now);
      if kept.is_kept = 0 then
        refusal := '{"reason": "answer-not-kept"}';
        return;
      end if;
      outcome := 'replayed';
      replay := kept.body;
      return;
    end if;
    v_cap := p_limits ->> 'keysPerCaller';
    if v_cap is not null and exists (select from idempotency_sums where account_id = m.account_id and records >= v_cap) then
      refusal := jsonb_build_object('reason', 'key-cap', 'limit', v_cap);
      return;
    end if;
  end if;

  v_cap := p_limits -> 'creditsPerDay' ->> v_tier;
  if v_cap is not null then
    if m.credits_minute <> p_now / 60000 then
      if m.spent_credits > 0 then m := turnpike_flush_credits(m); end if;
      m.credits_minute := p_now / 60000;
      select coalesce(sum(credits), 0) into m.credits_total
        from credit_minutes where account_id = m.account_id and (account_id, minute) >= (m.account_id, m.credits_minute - 1440);
    end if;
    v_left := v_cap - m.credits_total - m.held_credits;
    if c.credits > v_left then
      if m.spent_credits > 0 then m := turnpike_flush_credits(m); end if;
      refusal := jsonb_build_object('reason', 'credit-cap', 'limit', v_cap, 'remaining', greatest(0, v_left),
        'resetAt', turnpike_credits_free_at(m.account_id, c.credits - v_left, p_now));
      return;
    end if;
  end if;

  -- The order in which a charge spends the balances.
  if c.purse = 'x402' then
    v_x402 := least(v_rest, m.x402 - m.held_x402);
    v_rest := v_rest - v_x402;
  else
    v_diem := least(v_rest, greatest(0, turnpike_diem(m, p_now) - m.held_diem));
    v_rest := v_rest - v_diem;
    v_bundled := least(v_rest, m.bundled - m.held_bundled);
    v_rest := v_rest - v_bundled;
    v_usd := least(v_rest, m.usd - m.held_usd);
    v_rest := v_rest - v_usd;
    if c.purse = 'all' then
      v_x402 := least(v_rest, m.x402 - m.held_x402);
      v_rest := v_rest - v_x402;
    end if;
  end if;
  if v_rest <> 0 then
    refusal := jsonb_build_object('reason', 'balance', 'spendableNanoUsd', c.amount - v_rest);
    return;
  end if;
  if k.limit_usd is not null or k.limit_diem is not null or k.limit_prepaid is not null or c.purse = 'all' then
    refusal := turnpike_key_refusal(k, v_diem, c.amount - v_diem, v_x402, p_now);
    if refusal is not null then return; end if;
  end if;
  -- Without a period, turnpike_settle does not count the spending in key_spend.
  if k.limit_usd is null and k.limit_diem is null and k.limit_prepaid is null then k.limit_period := null; end if;

  insert into reservations (account_id, id, api_key_id, purse, diem_epoch, diem, bundled, usd, x402, credits, limit_period,
      idempotency_key, fingerprint, created_at, expires_at)
    values (m.account_id, c.reservation, c.api_key_id, c.purse, m.diem_epoch, v_diem, v_bundled, v_usd, v_x402, c.credits, k.limit_period,
      c.idempotency_key, c.fingerprint, p_now, p_now + c.lease_ms);
  m.held_diem := m.held_diem + v_diem;
  m.held_bundled := m.held_bundled + v_bundled;
  m.held_usd := m.held_usd + v_usd;
  m.held_x402 := m.held_x402 + v_x402;
  m.held_credits := m.held_credits + c.credits;
  m.lease_due_at := least(m.lease_due_at, p_now + c.lease_ms);
  m := turnpike_count_request(m, v_in_minute, p_now);
  outcome := 'admitted';
  remaining := turnpike_spendable(m, c.purse, p_now);
end $$;

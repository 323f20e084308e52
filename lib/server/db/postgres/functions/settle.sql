-- Returns whether a request was charged. A missing reservation has two possible causes: an earlier attempt settled it
-- and its answer was lost, or its lease ended and other calls may use its money. The ledger tells which. The caller's
-- newest 10,000 rows are enough, because request ids are unique and a charge is not older than its lease.
create or replace function turnpike_was_charged(p_account_id bigint, p_request_id text) returns boolean language sql stable as $$
  select exists (
    select from (select request, reference, kind from ledger_rows where account_id = p_account_id order by id desc limit 10000) as newest
     where request = turnpike_request(p_request_id) and reference = turnpike_reference(request, p_request_id) and kind = 'CHARGE')
$$;

-- Returns whether one of these requests was charged after the current statement began. If a gateway loses a connection
-- while its statement waits for a lock, it sends the charges again.
create or replace function turnpike_was_charged_meanwhile(p_account_id bigint, p_request_ids text[]) returns boolean language plpgsql as $$
begin
  perform from ledger_rows where account_id = p_account_id and created_at >= floor(date_part('epoch', statement_timestamp()) * 1000)::bigint and kind = 'CHARGE'
    and case when reference = '' then replace(request::text, '-', '') else reference end = any(p_request_ids);
  return found;
end $$;

-- Deletes a reservation, expired or not, and takes its holds off the meter. r is null if the reservation does not
-- exist.
create or replace function turnpike_free(inout m meters, p_reservation uuid, out r reservations) language plpgsql as $$
begin
  delete from reservations where account_id = m.account_id and id = p_reservation returning * into r;
  if not found then return; end if;
  -- A hold of an earlier epoch is not in held_diem. It stays in diem_carried, which no new call can spend.
  if r.diem_epoch = m.diem_epoch then m.held_diem := m.held_diem - r.diem; end if;
  m.held_bundled := m.held_bundled - r.bundled;
  m.held_usd := m.held_usd - r.usd;
  m.held_x402 := m.held_x402 - r.x402;
  m.held_credits := m.held_credits - r.credits;
end $$;

-- Charges a reservation from what it holds, in the epoch of the hold, and frees the rest. Runs under the caller's lock.
-- Raises an error and charges nothing if the charge is larger than the hold. Stores the answer if the caller's budget
-- has room. If not, records only that the call with this idempotency key was made.
-- outcome: 'settled'; 'unkept', settled without storing the answer; 'gone', no reservation exists and nothing was
-- charged.
-- remaining: the purse's balance, holds included.
create or replace function turnpike_settle(inout m meters, c turnpike_call, p_body bytea, p_now bigint,
  out outcome text, out remaining bigint) language plpgsql as $$
declare
  freed record;
  r reservations;
  v_rest bigint := c.amount;
  v_diem bigint;
  v_bundled bigint;
  v_usd bigint;
  v_x402 bigint;
  v_minute integer := p_now / 60000;
  v_is_kept boolean;
  v_request uuid := turnpike_request(c.request_id);
begin
  freed := turnpike_free(m, c.reservation);
  m := freed.m;
  r := freed.r;
  remaining := turnpike_purse(m, c.purse, p_now);
  if r.id is null then
    outcome := case when not turnpike_was_charged(m.account_id, c.request_id) then 'gone'
                    when exists (select from idempotency_records where account_id = m.account_id and key = c.idempotency_key and is_kept = 0) then 'unkept'
                    else 'settled' end;
    return;
  end if;

  v_diem := least(v_rest, r.diem);
  v_rest := v_rest - v_diem;
  v_bundled := least(v_rest, r.bundled);
  v_rest := v_rest - v_bundled;
  v_usd := least(v_rest, r.usd);
  v_rest := v_rest - v_usd;
  v_x402 := least(v_rest, r.x402);
  v_rest := v_rest - v_x402;
  if v_rest <> 0 then raise exception 'A charge cannot exceed what was reserved for it.'; end if;
  m.diem := m.diem - v_diem;
  if r.diem_epoch <> m.diem_epoch then m.diem_carried := m.diem_carried - v_diem; end if;
  m.bundled := m.bundled - v_bundled;
  m.usd := m.usd - v_usd;
  m.x402 := m.x402 - v_x402;
  -- Without units, the rows have the call's credits. Only the first row counts the call.
  if c.amount > 0 then
    insert into ledger_rows (account_id, pot_number, kind, amount, balance_after, api_key_id, name_id, resource, detail, units, request, reference, created_at, calls, archive_id)
      select c.account_id, p.pot, 'CHARGE', -p.amount, p.balance, c.api_key_id, coalesce(n.id, 0), case when n.id is null then c.resource else '' end, case when n.id is null then c.detail else '' end,
             coalesce(c.units, c.credits), v_request, turnpike_reference(v_request, c.request_id), p_now, (p.before = 0)::integer, 0
        from (values (0, v_diem, m.diem, 0), (1, v_bundled, m.bundled, v_diem), (2, v_usd, m.usd, v_diem + v_bundled), (3, v_x402, m.x402, v_diem + v_bundled + v_usd))
          as p (pot, amount, balance, before) left join ledger_names n on n.resource = c.resource and n.detail = c.detail
       where p.amount > 0;
  end if;

  if m.spent_minute <> v_minute and m.spent_credits > 0 then m := turnpike_flush_credits(m); end if;
  m.spent_minute := v_minute;
  m.spent_credits := m.spent_credits + c.credits;
  if m.credits_minute = v_minute then m.credits_total := m.credits_total + c.credits; end if;
  if r.limit_period is not null then
    insert into key_spend (api_key_id, period, usd, diem, prepaid)
      values (r.api_key_id, turnpike_period(r.limit_period, p_now), c.amount - v_diem, v_diem, v_x402)
      on conflict (api_key_id, period) do update
        set usd = key_spend.usd + excluded.usd, diem = key_spend.diem + excluded.diem, prepaid = key_spend.prepaid + excluded.prepaid;
  end if;
  outcome := 'settled';
  if r.idempotency_key is not null and (p_body is not null or c.keep_bytes is not null) then
    -- Without keep_bytes there is no budget, and every answer is stored.
    v_is_kept := p_body is not null and (c.keep_bytes is null or turnpike_kept_bytes(p_body) = 0
      or octet_length(p_body) + coalesce((select bytes from idempotency_sums where account_id = m.account_id), 0) <= c.keep_bytes);
    insert into idempotency_records (account_id, key, fingerprint, body, is_kept, created_at)
      values (m.account_id, r.idempotency_key, r.fingerprint, case when v_is_kept then p_body else '' end, v_is_kept::integer, p_now)
      on conflict (account_id, key) do update
        set fingerprint = excluded.fingerprint, body = excluded.body, is_kept = excluded.is_kept, created_at = excluded.created_at;
    if not v_is_kept then outcome := 'unkept'; end if;
  end if;
  remaining := turnpike_purse(m, c.purse, p_now);
end $$;

-- Extends a reservation by its lease and stores the call's checkpoint, which turnpike_expire charges if the lease ends.
-- Returns 'noted', or 'gone' if the reservation does not exist.
create or replace function turnpike_note(m meters, c turnpike_call, p_now bigint) returns text language plpgsql as $$
begin
  update reservations set expires_at = p_now + c.lease_ms, noted_amount = c.amount, noted_units = coalesce(c.units, 0), noted_resource = c.resource,
      noted_detail = c.detail, noted_request_id = c.request_id
    where account_id = m.account_id and id = c.reservation;
  return case when found then 'noted' else 'gone' end;
end $$;

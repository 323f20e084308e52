-- Returns the balance of the daily allocation, without the part that calls of earlier epochs hold; 0 outside its epoch.
create or replace function turnpike_diem(m meters, p_now bigint) returns bigint language sql immutable as
$$ select case when turnpike_is_current_epoch(m.diem_epoch, p_now) then m.diem - m.diem_carried else 0 end $$;

-- Returns the balance of a purse, holds included. 'x402' is prepaid money. 'account' is the daily allocation, bundled
-- credits and USD together. 'all' is both.
create or replace function turnpike_purse(m meters, p_purse text, p_now bigint) returns bigint language sql immutable as
$$ select case when p_purse = 'x402' then m.x402 else turnpike_diem(m, p_now) + m.bundled + m.usd + case when p_purse = 'all' then m.x402 else 0 end end $$;

-- Returns what can be reserved from a purse now: its balance minus its holds.
create or replace function turnpike_spendable(m meters, p_purse text, p_now bigint) returns bigint language sql immutable as
$$ select case when p_purse = 'x402' then m.x402 - m.held_x402
     else greatest(0, turnpike_diem(m, p_now) - m.held_diem) + m.bundled - m.held_bundled + m.usd - m.held_usd + case when p_purse = 'all' then m.x402 - m.held_x402 else 0 end end $$;

-- Returns how much one call may cost if the gateway forwards it before admission: 1/64 of what can be reserved, like
-- ROOM_PART in the gateway. Even 64 such calls in parallel can then be charged.
create or replace function turnpike_room(p_spendable bigint) returns bigint language sql immutable as
$$ select p_spendable / 64 $$;

-- Returns the caller's meter and locks it until the end of the transaction. If another transaction holds the lock,
-- waits if p_wait is true, or else returns null. Every writer of a caller's meter, reservations or idempotency records
-- must hold this lock. With p_wait, raises no_data_found for an account that does not exist.
create or replace function turnpike_lock(p_account_id bigint, p_wait boolean) returns meters language plpgsql as $$
declare
  m meters;
begin
  if p_wait then
    select * into m from meters where account_id = p_account_id for no key update;
    if not found then raise exception 'Account % does not exist.', p_account_id using errcode = 'no_data_found'; end if;
  else
    select * into m from meters where account_id = p_account_id for no key update skip locked;
  end if;
  return m;
end $$;

-- Writes a locked meter back to its table, once for all calls of its caller.
create or replace function turnpike_keep(m meters) returns void language plpgsql as $$
begin
  update meters set
    diem = m.diem, bundled = m.bundled, usd = m.usd, x402 = m.x402,
    minute_started_at = m.minute_started_at, minute_requests = m.minute_requests,
    held_diem = m.held_diem, held_bundled = m.held_bundled, held_usd = m.held_usd, held_x402 = m.held_x402,
    held_credits = m.held_credits, credits_minute = m.credits_minute, credits_total = m.credits_total,
    spent_minute = m.spent_minute, spent_credits = m.spent_credits,
    lease_due_at = m.lease_due_at, diem_epoch = m.diem_epoch, diem_carried = m.diem_carried
  where account_id = m.account_id;
end $$;

-- Returns the meter with one more request in the caller's current minute. If that minute is over, a new one starts now.
create or replace function turnpike_count_request(m meters, p_in_minute boolean, p_now bigint) returns meters language plpgsql as $$
begin
  if not p_in_minute then
    m.minute_started_at := p_now;
    m.minute_requests := 0;
  end if;
  m.minute_requests := m.minute_requests + 1;
  return m;
end $$;

-- Moves the current minute's credits from the caller's row to credit_minutes, when the next minute begins or before
-- credit_minutes is read. Until then they are in the row, which a charge writes in any case.
create or replace function turnpike_flush_credits(inout m meters) language plpgsql as $$
begin
  insert into credit_minutes (account_id, minute, credits) values (m.account_id, m.spent_minute, m.spent_credits)
    on conflict (account_id, minute) do update set credits = credit_minutes.credits + excluded.credits;
  m.spent_credits := 0;
end $$;

-- Brings locked meters to a new minute: moves the credits of an earlier minute to credit_minutes, and sums the caller's
-- last 24 hours. The comparison of rows lets only the primary key serve the sum. The index by minute, which is for
-- deleting, would read the rows of all callers.
create or replace function turnpike_begin_minute(p_accounts bigint[], p_minute integer) returns void language plpgsql as $$
begin
  insert into credit_minutes (account_id, minute, credits)
    select account_id, spent_minute, spent_credits from meters where account_id = any(p_accounts) and spent_minute <> p_minute and spent_credits > 0
    on conflict (account_id, minute) do update set credits = credit_minutes.credits + excluded.credits;
  update meters m set
    credits_total = (select coalesce(sum(d.credits), 0) from credit_minutes d where d.account_id = m.account_id and (d.account_id, d.minute) >= (m.account_id, p_minute - 1440))
      + case when m.spent_minute = p_minute then m.spent_credits else 0 end,
    spent_credits = case when m.spent_minute = p_minute then m.spent_credits else 0 end,
    credits_minute = p_minute, spent_minute = p_minute
  where m.account_id = any(p_accounts);
end $$;

-- Returns when at least p_credits have left the 24-hour window of the credit cap, in Unix milliseconds.
create or replace function turnpike_credits_free_at(p_account_id bigint, p_credits bigint, p_now bigint) returns bigint language sql stable as $$
  select coalesce(
    (select min(minute) + 1441 from (
       select minute, sum(credits) over (order by minute) as freed
         from credit_minutes where account_id = p_account_id and (account_id, minute) >= (p_account_id, p_now / 60000 - 1440)
     ) as minutes where freed >= p_credits) * 60000::bigint,
    p_now + 86400000)
$$;

-- Returns whether the gateway may forward a caller's calls before admission: the key has no limit, and at most half of
-- each cap is used. turnpike_room limits the cost of one such call.
create or replace function turnpike_is_roomy(m meters, p_key_hash text, p_limits jsonb, p_now bigint) returns boolean language sql stable as $$
  select not exists (select from api_keys where hash = p_key_hash and (limit_usd is not null or limit_diem is not null or limit_prepaid is not null))
     and (cap.requests is null or not turnpike_is_in_minute(m.minute_started_at, p_now) or 2 * m.minute_requests <= cap.requests)
     and (cap.credits is null or 2 * (m.held_credits + case when m.credits_minute = p_now / 60000 then m.credits_total else
           m.spent_credits + (select coalesce(sum(credits), 0) from credit_minutes where account_id = m.account_id and (account_id, minute) >= (m.account_id, p_now / 60000 - 1440)) end) <= cap.credits)
    from accounts a
    cross join lateral (select (p_limits -> 'requestsPerMinute' ->> a.tier)::bigint as requests, (p_limits -> 'creditsPerDay' ->> a.tier)::bigint as credits) as cap
   where a.id = m.account_id
$$;

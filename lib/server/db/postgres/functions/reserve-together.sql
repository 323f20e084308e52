-- Admits calls of many callers in one statement, by the same rules as turnpike_reserve. The caller's meter must be
-- locked, and the caller has one call in the batch. Admits only simple calls: first attempt, account purse, a key
-- without limits, no idempotency key, within all caps and balances. Leaves all other calls out of the result, so that
-- turnpike_reserve decides them.
create or replace function turnpike_reserve_together(p_calls turnpike_call[], p_limits jsonb, p_now bigint)
returns table (item integer, remaining bigint) language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with admitted as materialized (
    select c.item, c.account_id, c.reservation, c.api_key_id, c.purse, c.credits, t.now, t.now + c.lease_ms as expires_at, m.diem_epoch,
           diem.part as diem, bundled.part as bundled, usd.part as usd, minute.runs as in_minute, diem.pot
      from unnest(p_calls) as c
      cross join lateral (select coalesce(c.at, p_now) as now) as t
      join meters m on m.account_id = c.account_id
      join accounts a on a.id = c.account_id
      join api_keys k on k.hash = c.key_hash
      cross join lateral (select turnpike_is_in_minute(m.minute_started_at, t.now) as runs) as minute
      cross join lateral (select (p_limits -> 'requestsPerMinute' ->> a.tier)::bigint as requests, (p_limits -> 'creditsPerDay' ->> a.tier)::bigint as credits) as cap
      cross join lateral (select turnpike_diem(m, t.now) as pot) as daily
      cross join lateral (select daily.pot, least(c.amount, greatest(0, daily.pot - m.held_diem)) as part) as diem
      cross join lateral (select least(c.amount - diem.part, m.bundled - m.held_bundled) as part) as bundled
      cross join lateral (select c.amount - diem.part - bundled.part as part) as usd
     where c.kind = 'reserve' and c.attempt = 1 and c.purse = 'account' and c.idempotency_key is null
       and k.revoked_at is null and (k.expires_at is null or k.expires_at > t.now) and k.limit_usd is null and k.limit_diem is null and k.limit_prepaid is null
       and (m.lease_due_at is null or m.lease_due_at > t.now)
       and (cap.requests is null or not minute.runs or m.minute_requests < cap.requests)
       and (cap.credits is null or (m.credits_minute = t.now / 60000 and c.credits <= cap.credits - m.credits_total - m.held_credits))
       and usd.part <= m.usd - m.held_usd
  ),
  held as (
    insert into reservations (account_id, id, api_key_id, purse, diem_epoch, diem, bundled, usd, x402, credits, created_at, expires_at)
      select account_id, reservation, api_key_id, purse, diem_epoch, diem, bundled, usd, 0, credits, now, expires_at from admitted
  )
  update meters m set
    held_diem = m.held_diem + a.diem, held_bundled = m.held_bundled + a.bundled, held_usd = m.held_usd + a.usd,
    held_credits = m.held_credits + a.credits, lease_due_at = least(m.lease_due_at, a.expires_at),
    minute_started_at = case when a.in_minute then m.minute_started_at else a.now end,
    minute_requests = case when a.in_minute then m.minute_requests + 1 else 1 end
  from admitted a where m.account_id = a.account_id
  returning a.item, greatest(0, a.pot - m.held_diem) + m.bundled - m.held_bundled + m.usd - m.held_usd;
end $$;

-- Admits and charges finished calls of many callers in one statement. The gateway withholds their answers until then.
-- Charges a call only if its caller has one call in the batch and an unlocked meter, the purse is not 'all', the key
-- has no limits, and all caps and balances allow it. Leaves all other calls out of the result. Two of these statements
-- cannot deadlock, because neither waits for a locked meter.
-- The arguments are arrays of equal length, with one element per call. items has the 1-based positions of the charged
-- calls.
-- room: see turnpike_is_roomy and turnpike_room. Why there is one generic plan with look-ups by key: see
-- turnpike_meter.
create or replace function turnpike_charge_at_once(
  p_account bigint[], p_at bigint[], p_purse text[], p_key_hash text[], p_api_key_id bigint[], p_amount bigint[], p_credits bigint[],
  p_units bigint[], p_resource text[], p_detail text[], p_request_id text[], p_limits jsonb,
  out items integer[], out remaining bigint[], out room bigint[]) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  with call as materialized (
    select c.item::integer, c.purse, c.key_hash, c.api_key_id, c.amount, c.credits, c.units, c.resource, c.detail, c.request_id, coalesce(c.at, turnpike_now()) as now,
           m.account_id, m.diem, m.diem_epoch, m.diem_carried, m.bundled, m.usd, m.x402, m.held_diem, m.held_bundled, m.held_usd, m.held_x402, m.held_credits,
           m.minute_started_at, m.minute_requests, m.credits_minute, m.credits_total, m.lease_due_at, m.spent_minute, m.spent_credits
      from unnest(p_account, p_at, p_purse, p_key_hash, p_api_key_id, p_amount, p_credits, p_units, p_resource, p_detail, p_request_id) with ordinality
             as c (account_id, at, purse, key_hash, api_key_id, amount, credits, units, resource, detail, request_id, item)
      join meters m on m.account_id = c.account_id
       for no key update of m skip locked
  ),
  admitted as materialized (
    select c.item, c.account_id, c.api_key_id, c.purse, c.credits, c.units, c.resource, c.detail, c.request_id, c.now, c.spent_minute, c.spent_credits,
           diem.part as diem, bundled.part as bundled, usd.part as usd, x402.part as x402,
           case when minute.runs then c.minute_started_at else c.now end as minute_started_at, minute.requests + 1 as minute_requests,
           case when 2 * (minute.requests + 1) > cap.requests or 2 * (c.credits_total + c.held_credits + c.credits) > cap.credits then 0
                else turnpike_room(case when c.purse = 'x402' then c.x402 - c.held_x402
                   else greatest(0, daily.pot - c.held_diem) + c.bundled - c.held_bundled + c.usd - c.held_usd end) end as room
      from call c
      join accounts a on a.id = c.account_id
      left join api_keys k on k.hash = c.key_hash
      cross join lateral (select turnpike_is_in_minute(c.minute_started_at, c.now) as runs) as this_minute
      cross join lateral (select this_minute.runs, case when this_minute.runs then c.minute_requests else 0 end as requests) as minute
      cross join lateral (select (p_limits -> 'requestsPerMinute' ->> a.tier)::bigint as requests, (p_limits -> 'creditsPerDay' ->> a.tier)::bigint as credits) as cap
      cross join lateral (select case when turnpike_is_current_epoch(c.diem_epoch, c.now) then c.diem - c.diem_carried else 0 end as pot) as daily
      cross join lateral (select case when c.purse = 'x402' then c.amount else 0 end as part) as x402
      cross join lateral (select least(c.amount - x402.part, greatest(0, daily.pot - c.held_diem)) as part) as diem
      cross join lateral (select least(c.amount - x402.part - diem.part, c.bundled - c.held_bundled) as part) as bundled
      cross join lateral (select c.amount - x402.part - diem.part - bundled.part as part) as usd
     where c.purse <> 'all'
       and (c.key_hash is null or (k.id is not null and k.revoked_at is null and (k.expires_at is null or k.expires_at > c.now)
                                   and k.limit_usd is null and k.limit_diem is null and k.limit_prepaid is null))
       and (c.lease_due_at is null or c.lease_due_at > c.now)
       and (cap.requests is null or minute.requests < cap.requests)
       and (cap.credits is null or (c.credits_minute = c.now / 60000 and c.credits <= cap.credits - c.credits_total - c.held_credits))
       and usd.part <= c.usd - c.held_usd and x402.part <= c.x402 - c.held_x402
  ),
  counted as (
    insert into credit_minutes (account_id, minute, credits)
      select account_id, spent_minute, spent_credits from admitted where spent_minute <> now / 60000 and spent_credits > 0
      on conflict (account_id, minute) do update set credits = credit_minutes.credits + excluded.credits
  ),
  kept as (
    update meters m set
      diem = m.diem - a.diem, bundled = m.bundled - a.bundled, usd = m.usd - a.usd, x402 = m.x402 - a.x402,
      minute_started_at = a.minute_started_at, minute_requests = a.minute_requests,
      credits_total = case when m.credits_minute = a.now / 60000 then m.credits_total + a.credits else m.credits_total end,
      spent_minute = a.now / 60000, spent_credits = case when m.spent_minute = a.now / 60000 then m.spent_credits else 0 end + a.credits
    from admitted a where m.account_id = a.account_id
    returning a.*, m.diem as diem_after, m.bundled as bundled_after, m.usd as usd_after, m.x402 as x402_after,
      turnpike_purse(m, a.purse, a.now) as remaining
  ),
  entered as (
    insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at, calls)
      select k.account_id, p.pot, 'CHARGE', -p.amount, p.balance, k.api_key_id, k.resource, k.detail, k.units, k.request_id, k.now, (p.before = 0)::integer
        from kept k cross join lateral
          (values ('diem', k.diem, k.diem_after, 0), ('bundled', k.bundled, k.bundled_after, k.diem), ('usd', k.usd, k.usd_after, k.diem + k.bundled), ('x402', k.x402, k.x402_after, k.diem + k.bundled + k.usd))
          as p (pot, amount, balance, before)
       where p.amount > 0
  )
  select array_agg(k.item), array_agg(k.remaining), array_agg(k.room) into items, remaining, room from kept k;
end $$;

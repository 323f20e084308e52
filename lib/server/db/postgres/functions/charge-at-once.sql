-- Admits and charges finished calls of many callers in one statement. The gateway withholds their answers until then.
-- Charges a call only if its caller's meter is unlocked, the purse is not 'all', the key has no limits, and all caps
-- and balances allow it. Charges all calls of a caller or none. Leaves all other calls out of the result.
-- The arguments up to p_request_id are arrays of equal length, with one element per call. Calls of one caller must have
-- the same time, purse and key. p_before, p_total, p_total_credits, p_calls and p_later are null if no caller has
-- several calls. Else they are arrays too, and describe the calls of the call's caller: the amount of those before it,
-- the amount, credits and number of all, and the number of those after it.
-- p_wait_ms: how long to wait for a meter that another transaction holds. Null skips its caller. Use another value only
-- for calls of one caller: a statement that waits for at most one meter, before it has any, cannot deadlock.
-- items: the 1-based positions of the charged calls. skipped: those of the calls whose caller was skipped.
-- room: see turnpike_is_roomy and turnpike_room. Why there is one generic plan with look-ups by key: see
-- turnpike_meter.
create or replace function turnpike_charge_at_once(
  p_account bigint[], p_at bigint[], p_purse text[], p_key_hash text[], p_api_key_id bigint[], p_amount bigint[], p_credits bigint[],
  p_units bigint[], p_resource text[], p_detail text[], p_request_id text[], p_limits jsonb, p_wait_ms integer default null,
  p_before bigint[] default null, p_total bigint[] default null, p_total_credits bigint[] default null, p_calls integer[] default null, p_later integer[] default null,
  out items integer[], out remaining bigint[], out room bigint[], out skipped integer[]) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  v_minute integer;
  v_locked bigint[];
  v_due bigint[];
  v_is_again boolean := false;
  r record;
begin
  if p_wait_ms is not null then
    perform set_config('lock_timeout', p_wait_ms::text, true);
    perform 1 from meters where account_id = any(p_account) for no key update;
  end if;
  items := '{}';
  if p_wait_ms is not null and p_at[1] is null and turnpike_was_charged_meanwhile(p_account[1], p_request_id) then return; end if;
  loop
    with call as materialized (
      select i.item, p_purse[i.item] as purse, p_key_hash[i.item] as key_hash, p_api_key_id[i.item] as api_key_id, p_amount[i.item] as amount,
             p_units[i.item] as units, p_resource[i.item] as resource, p_detail[i.item] as detail, p_request_id[i.item] as request_id, turnpike_request(p_request_id[i.item]) as request,
             coalesce(p_before[i.item], 0) as before, coalesce(p_total[i.item], p_amount[i.item]) as total,
             coalesce(p_total_credits[i.item], p_credits[i.item]) as credits, coalesce(p_calls[i.item], 1) as calls, coalesce(p_later[i.item], 0) = 0 as is_last,
             m.account_id, m.diem, m.diem_epoch, m.diem_carried, m.bundled, m.usd, m.x402, m.held_diem, m.held_bundled, m.held_usd, m.held_x402, m.held_credits,
             m.minute_started_at, m.minute_requests, m.credits_minute, m.credits_total, m.lease_due_at, m.spent_minute, m.spent_credits
        from generate_series(1, cardinality(p_account)) as i (item)
        join meters m on m.account_id = p_account[i.item]
       where p_at[i.item] is not distinct from p_at[1] and i.item <> all(items) and (v_locked is null or p_account[i.item] = any(v_locked))
         for no key update of m skip locked
    ),
    -- One time for all calls, read after the last lock.
    clock as materialized (select case when count(*) > 0 then coalesce(p_at[1], turnpike_now()) end as now from call),
    admitted as materialized (
      select c.item, c.account_id, c.api_key_id, c.units, c.resource, c.detail, c.request_id, c.request, c.credits, c.is_last, clock.now,
             diem.upto - diem.before as diem, bundled.upto - bundled.before as bundled, usd.upto - usd.before as usd, x402.upto - x402.before as x402,
             c.diem - diem.upto as diem_after, c.bundled - bundled.upto as bundled_after, c.usd - usd.upto as usd_after, c.x402 - x402.upto as x402_after,
             case when this_minute.runs then c.minute_started_at else clock.now end as minute_started_at, minute.requests as minute_requests,
             case when c.purse = 'x402' then c.x402 else daily.pot + c.bundled + c.usd end - taken.upto as remaining,
             case when 2 * minute.requests > cap.requests or 2 * (c.credits_total + c.held_credits + c.credits) > cap.credits then 0
                  else turnpike_room(case when c.purse = 'x402' then c.x402 - c.held_x402 else free.diem + free.bundled + c.usd - c.held_usd end - c.total) end as room
        from call c
        cross join clock
        join accounts a on a.id = c.account_id
        left join api_keys k on k.hash = c.key_hash
        cross join lateral (select turnpike_is_in_minute(c.minute_started_at, clock.now) as runs) as this_minute
        cross join lateral (select case when this_minute.runs then c.minute_requests else 0 end + c.calls as requests) as minute
        cross join lateral (select (p_limits -> 'requestsPerMinute' ->> a.tier)::bigint as requests, (p_limits -> 'creditsPerDay' ->> a.tier)::bigint as credits) as cap
        cross join lateral (select case when turnpike_is_current_epoch(c.diem_epoch, clock.now) then c.diem - c.diem_carried else 0 end as pot) as daily
        cross join lateral (select greatest(0, daily.pot - c.held_diem) as diem, c.bundled - c.held_bundled as bundled) as free
        -- What the caller's calls take: those before this one, and those up to this one.
        cross join lateral (select c.before, c.before + c.amount as upto) as taken
        cross join lateral (select case when c.purse = 'x402' then taken.before else 0 end as before, case when c.purse = 'x402' then taken.upto else 0 end as upto) as x402
        cross join lateral (select least(taken.before - x402.before, free.diem) as before, least(taken.upto - x402.upto, free.diem) as upto) as diem
        cross join lateral (select least(taken.before - x402.before - diem.before, free.bundled) as before, least(taken.upto - x402.upto - diem.upto, free.bundled) as upto) as bundled
        cross join lateral (select taken.before - x402.before - diem.before - bundled.before as before, taken.upto - x402.upto - diem.upto - bundled.upto as upto) as usd
       where c.purse <> 'all'
         -- If a meter became free between two calls of its caller, only the later call found it.
         and c.account_id <> all(array(select account_id from call where calls > 1 group by account_id having count(*) < min(calls)))
         and (c.key_hash is null or (k.id is not null and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock.now)
                                     and k.limit_usd is null and k.limit_diem is null and k.limit_prepaid is null))
         and (c.lease_due_at is null or c.lease_due_at > clock.now)
         and (c.spent_minute = clock.now / 60000 or c.spent_credits = 0)
         and (cap.requests is null or minute.requests <= cap.requests)
         and (cap.credits is null or (c.credits_minute = clock.now / 60000 and c.credits <= cap.credits - c.credits_total - c.held_credits))
         and c.total <= case when c.purse = 'x402' then c.x402 - c.held_x402 else free.diem + free.bundled + c.usd - c.held_usd end
    ),
    kept as (
      update meters m set
        diem = a.diem_after, bundled = a.bundled_after, usd = a.usd_after, x402 = a.x402_after,
        minute_started_at = a.minute_started_at, minute_requests = a.minute_requests,
        credits_total = case when m.credits_minute = a.now / 60000 then m.credits_total + a.credits else m.credits_total end,
        spent_minute = a.now / 60000, spent_credits = m.spent_credits + a.credits
      from admitted a where a.is_last and m.account_id = a.account_id
    ),
    entered as (
      insert into ledger_rows (account_id, pot_number, kind, amount, balance_after, api_key_id, name_id, resource, detail, units, request, reference, created_at, calls, archive_id)
        select a.account_id, p.pot, 'CHARGE', -p.amount, p.balance, a.api_key_id, coalesce(n.id, 0), case when n.id is null then a.resource else '' end, case when n.id is null then a.detail else '' end,
               a.units, a.request, turnpike_reference(a.request, a.request_id), a.now, (p.before = 0)::integer, 0
          from admitted a left join ledger_names n on n.resource = a.resource and n.detail = a.detail cross join lateral
            (values (0, a.diem, a.diem_after, 0), (1, a.bundled, a.bundled_after, a.diem), (2, a.usd, a.usd_after, a.diem + a.bundled), (3, a.x402, a.x402_after, a.diem + a.bundled + a.usd))
            as p (pot, amount, balance, before)
         where p.amount > 0
         order by a.item
    )
    select coalesce(array_agg(a.item), '{}') as items, array_agg(a.remaining) as remaining, array_agg(a.room) as room into r from admitted a;
    items := items || r.items;
    remaining := remaining || r.remaining;
    room := room || r.room;
    exit when v_is_again or cardinality(items) = cardinality(p_account);
    v_minute := coalesce(p_at[1], turnpike_now()) / 60000;
    -- Tries once more for callers who begin a minute. In a statement after the one that locks, because only that one
    -- sees all that the locks' last holders wrote. Not for skipped callers, who are told to wait.
    select array_agg(account_id), array_agg(account_id) filter (where credits_minute <> v_minute or (spent_minute <> v_minute and spent_credits > 0))
      into v_locked, v_due from (select account_id, credits_minute, spent_minute, spent_credits from meters where account_id = any(p_account) for no key update skip locked) as locked;
    select array_agg(c.item) into skipped from unnest(p_account) with ordinality as c (account_id, item) where v_locked is null or c.account_id <> all(v_locked);
    exit when v_due is null;
    perform turnpike_begin_minute(v_due, v_minute);
    v_is_again := true;
  end loop;
end $$;

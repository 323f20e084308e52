-- Returns whether the gateway may forward a caller's calls before admission: the key has no limit, and at most half of
-- each cap is used. turnpike_room bounds the cost of one such call.
create or replace function turnpike_is_roomy(m meters, p_key_hash text, p_limits jsonb, p_now bigint) returns boolean language sql stable as $$
  select not exists (select from api_keys where hash = p_key_hash and (limit_usd is not null or limit_diem is not null or limit_prepaid is not null))
     and (cap.requests is null or not turnpike_is_in_minute(m.minute_started_at, p_now) or 2 * m.minute_requests <= cap.requests)
     and (cap.credits is null or 2 * (m.held_credits + case when m.credits_minute = p_now / 60000 then m.credits_total else
           m.spent_credits + (select coalesce(sum(credits), 0) from credit_minutes where account_id = m.account_id and minute >= p_now / 60000 - 1440) end) <= cap.credits)
    from accounts a
    cross join lateral (select (p_limits -> 'requestsPerMinute' ->> a.tier)::bigint as requests, (p_limits -> 'creditsPerDay' ->> a.tier)::bigint as credits) as cap
   where a.id = m.account_id
$$;

-- A populated database of the release before the baseline, as its code made it (migrations 0001 to 0012) on Postgres.
-- The tests upgrade it. It is never edited: what is to be tested of a later release is another file.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE TYPE public.turnpike_call AS (
	item integer,
	kind text,
	account_id bigint,
	reservation uuid,
	attempt integer,
	at bigint,
	purse text,
	key_hash text,
	api_key_id bigint,
	amount bigint,
	credits bigint,
	lease_ms bigint,
	idempotency_key text,
	fingerprint text,
	resource text,
	detail text,
	request_id text,
	body_start integer,
	body_bytes integer,
	units bigint,
	keep_bytes bigint
);

CREATE FUNCTION public.turnpike_allocate(p_account_id bigint, p_amount bigint, p_staked text, p_pool text, p_at bigint) RETURNS TABLE(epoch integer, amount bigint)
    LANGUAGE plpgsql
    AS $$
   #variable_conflict use_column
   declare
     m meters;
     v_now bigint;
     v_epoch integer;
     v_held bigint;
   begin
     m := turnpike_lock(p_account_id, true);
     v_now := coalesce(p_at, turnpike_now());
     v_epoch := v_now / 86400000;
     if m.diem_epoch - v_epoch not in (0, 1) then
       if m.lease_due_at <= v_now then m := turnpike_expire(m, v_now); end if;
       insert into allocations (account_id, epoch, amount, staked, pool, created_at)
         values (m.account_id, v_epoch, p_amount, p_staked, p_pool, v_now) on conflict do nothing;
       if found then
         select coalesce(sum(diem), 0) into v_held from reservations where account_id = m.account_id;
         if m.diem > v_held then
           perform turnpike_allocation_row(m.account_id, 'EXPIRY', v_held - m.diem, v_held, m.diem_epoch, v_now);
         end if;
         m.diem := v_held + p_amount;
         m.diem_carried := v_held;
         m.held_diem := 0;
         m.diem_epoch := v_epoch;
         perform turnpike_allocation_row(m.account_id, 'ALLOCATION', p_amount, m.diem, v_epoch, v_now);
         perform turnpike_keep(m);
       end if;
     end if;
     return query select a.epoch, a.amount from allocations a where a.account_id = m.account_id and a.epoch = m.diem_epoch;
   end $$;

CREATE FUNCTION public.turnpike_allocation_row(p_account_id bigint, p_kind text, p_amount bigint, p_balance bigint, p_epoch integer, p_now bigint) RETURNS void
    LANGUAGE sql
    AS $$
     insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at)
       values (p_account_id, 'diem', p_kind, p_amount, p_balance, null, 'allocation',
         to_char(to_timestamp(p_epoch * 86400::bigint) at time zone 'UTC', 'YYYY-MM-DD'), 0, '', p_now)
   $$;

CREATE FUNCTION public.turnpike_charge(c public.turnpike_call, p_pot text, p_amount bigint, p_balance bigint, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
   begin
     insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at)
       values (c.account_id, p_pot, 'CHARGE', -p_amount, p_balance, c.api_key_id, c.resource, c.detail, coalesce(c.units, c.credits), c.request_id, p_now);
   end $$;

CREATE FUNCTION public.turnpike_charge_at_once(p_account bigint[], p_at bigint[], p_purse text[], p_key_hash text[], p_api_key_id bigint[], p_amount bigint[], p_credits bigint[], p_units bigint[], p_resource text[], p_detail text[], p_request_id text[], p_limits jsonb, OUT items integer[], OUT remaining bigint[], OUT room bigint[]) RETURNS record
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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
                   when c.purse = 'x402' then c.x402 - c.held_x402
                   else greatest(0, daily.pot - c.held_diem) + c.bundled - c.held_bundled + c.usd - c.held_usd end / 64 as room
         from call c
         join accounts a on a.id = c.account_id
         left join api_keys k on k.hash = c.key_hash
         cross join lateral (select c.now < c.minute_started_at + 60000 and c.now > c.minute_started_at - 60000 as runs) as this_minute
         cross join lateral (select this_minute.runs, case when this_minute.runs then c.minute_requests else 0 end as requests) as minute
         cross join lateral (select (p_limits -> 'requestsPerMinute' ->> a.tier)::bigint as requests, (p_limits -> 'creditsPerDay' ->> a.tier)::bigint as credits) as cap
         cross join lateral (select case when c.diem_epoch - c.now / 86400000 in (0, 1) then c.diem - c.diem_carried else 0 end as pot) as daily
         cross join lateral (select case when c.purse = 'x402' then c.amount else 0 end as part) as x402
         cross join lateral (select least(c.amount - x402.part, greatest(0, daily.pot - c.held_diem)) as part) as diem
         cross join lateral (select least(c.amount - x402.part - diem.part, c.bundled - c.held_bundled) as part) as bundled
         cross join lateral (select c.amount - x402.part - diem.part - bundled.part as part) as usd
        where (c.key_hash is null or (k.id is not null and k.revoked_at is null and (k.expires_at is null or k.expires_at > c.now)
                                      and k.limit_usd is null and k.limit_diem is null))
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
         case when a.purse = 'x402' then m.x402
              else case when m.diem_epoch - a.now / 86400000 in (0, 1) then m.diem - m.diem_carried else 0 end + m.bundled + m.usd end as remaining
     ),
     entered as (
       insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at)
         select k.account_id, p.pot, 'CHARGE', -p.amount, p.balance, k.api_key_id, k.resource, k.detail, k.units, k.request_id, k.now
           from kept k cross join lateral
             (values ('diem', k.diem, k.diem_after), ('bundled', k.bundled, k.bundled_after), ('usd', k.usd, k.usd_after), ('x402', k.x402, k.x402_after))
             as p (pot, amount, balance)
          where p.amount > 0
     )
     select array_agg(k.item), array_agg(k.remaining), array_agg(k.room) into items, remaining, room from kept k;
   end $$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.meters (
    account_id bigint NOT NULL,
    diem bigint DEFAULT 0 NOT NULL,
    bundled bigint DEFAULT 0 NOT NULL,
    usd bigint DEFAULT 0 NOT NULL,
    x402 bigint DEFAULT 0 NOT NULL,
    minute_started_at bigint DEFAULT 0 NOT NULL,
    minute_requests integer DEFAULT 0 NOT NULL,
    held_diem bigint DEFAULT 0 NOT NULL,
    held_bundled bigint DEFAULT 0 NOT NULL,
    held_usd bigint DEFAULT 0 NOT NULL,
    held_x402 bigint DEFAULT 0 NOT NULL,
    held_credits bigint DEFAULT 0 NOT NULL,
    credits_minute integer DEFAULT 0 NOT NULL,
    credits_total bigint DEFAULT 0 NOT NULL,
    lease_due_at bigint,
    diem_epoch integer DEFAULT 0 NOT NULL,
    diem_carried bigint DEFAULT 0 NOT NULL,
    spent_minute integer DEFAULT 0 NOT NULL,
    spent_credits bigint DEFAULT 0 NOT NULL,
    CONSTRAINT meters_diem_carried_check CHECK ((diem_carried >= 0)),
    CONSTRAINT meters_not_negative CHECK ((LEAST(diem, bundled, usd, x402, held_diem, held_bundled, held_usd, held_x402, held_credits) >= 0))
)
WITH (fillfactor='50');

CREATE FUNCTION public.turnpike_count_request(m public.meters, p_in_minute boolean, p_now bigint) RETURNS public.meters
    LANGUAGE plpgsql
    AS $$
   begin
     if not p_in_minute then
       m.minute_started_at := p_now;
       m.minute_requests := 0;
     end if;
     m.minute_requests := m.minute_requests + 1;
     return m;
   end $$;

CREATE FUNCTION public.turnpike_credits_free_at(p_account_id bigint, p_credits bigint, p_now bigint) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
     select coalesce(
       (select min(minute) + 1441 from (
          select minute, sum(credits) over (order by minute) as freed
            from credit_minutes where account_id = p_account_id and minute >= p_now / 60000 - 1440
        ) as minutes where freed >= p_credits) * 60000::bigint,
       p_now + 86400000)
   $$;

CREATE FUNCTION public.turnpike_diem(m public.meters, p_now bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$ select case when m.diem_epoch - p_now / 86400000 in (0, 1) then m.diem - m.diem_carried else 0 end $$;

CREATE FUNCTION public.turnpike_expire(INOUT m public.meters, p_now bigint) RETURNS public.meters
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.turnpike_expire_all(p_now bigint) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.turnpike_flush_credits(INOUT m public.meters) RETURNS public.meters
    LANGUAGE plpgsql
    AS $$
   begin
     insert into credit_minutes (account_id, minute, credits) values (m.account_id, m.spent_minute, m.spent_credits)
       on conflict (account_id, minute) do update set credits = credit_minutes.credits + excluded.credits;
     m.spent_credits := 0;
   end $$;

CREATE FUNCTION public.turnpike_forget_records(p_until bigint, p_count integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
   declare
     v_account bigint;
     v_seen bigint[] := '{}';
     v_deleted integer := 0;
     v_rows integer;
   begin
     while v_deleted < p_count loop
       -- The caller of the oldest record of those who were not seen yet.
       select r.account_id into v_account from idempotency_records r
        where r.created_at <= p_until and r.account_id <> all(v_seen) order by r.created_at limit 1;
       exit when not found;
       v_seen := v_seen || v_account;
       perform 1 from meters m where m.account_id = v_account for no key update skip locked;
       continue when not found;
       with expired as (
         select account_id, key from idempotency_records
          where account_id = v_account and created_at <= p_until order by created_at limit p_count - v_deleted)
       delete from idempotency_records r using expired e where r.account_id = e.account_id and r.key = e.key;
       get diagnostics v_rows = row_count;
       v_deleted := v_deleted + v_rows;
     end loop;
     return v_deleted;
   end $$;

CREATE TABLE public.reservations (
    account_id bigint NOT NULL,
    id uuid NOT NULL,
    api_key_id bigint,
    purse text NOT NULL,
    diem bigint NOT NULL,
    bundled bigint NOT NULL,
    usd bigint NOT NULL,
    x402 bigint NOT NULL,
    credits bigint NOT NULL,
    limit_period text,
    idempotency_key text,
    fingerprint text,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    diem_epoch integer DEFAULT 0 NOT NULL,
    noted_amount bigint DEFAULT 0 NOT NULL,
    noted_resource text,
    noted_detail text,
    noted_request_id text,
    noted_units bigint DEFAULT 0 NOT NULL
);

CREATE FUNCTION public.turnpike_free(INOUT m public.meters, p_reservation uuid, OUT r public.reservations) RETURNS record
    LANGUAGE plpgsql
    AS $$
   begin
     delete from reservations where account_id = m.account_id and id = p_reservation returning * into r;
     if not found then return; end if;
     -- What was held of an earlier epoch is not of this one's pot: it stays carried, which nothing can spend.
     if r.diem_epoch = m.diem_epoch then m.held_diem := m.held_diem - r.diem; end if;
     m.held_bundled := m.held_bundled - r.bundled;
     m.held_usd := m.held_usd - r.usd;
     m.held_x402 := m.held_x402 - r.x402;
     m.held_credits := m.held_credits - r.credits;
   end $$;

CREATE FUNCTION public.turnpike_is_roomy(m public.meters, p_key_hash text, p_limits jsonb, p_now bigint) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
     select not exists (select from api_keys where hash = p_key_hash and (limit_usd is not null or limit_diem is not null))
        and (cap.requests is null or p_now >= m.minute_started_at + 60000 or p_now <= m.minute_started_at - 60000 or 2 * m.minute_requests <= cap.requests)
        and (cap.credits is null or 2 * (m.held_credits + case when m.credits_minute = p_now / 60000 then m.credits_total else
              m.spent_credits + (select coalesce(sum(credits), 0) from credit_minutes where account_id = m.account_id and minute >= p_now / 60000 - 1440) end) <= cap.credits)
       from accounts a
       cross join lateral (select (p_limits -> 'requestsPerMinute' ->> a.tier)::bigint as requests, (p_limits -> 'creditsPerDay' ->> a.tier)::bigint as credits) as cap
      where a.id = m.account_id
   $$;

CREATE FUNCTION public.turnpike_keep(m public.meters) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.turnpike_kept_bytes(p_body bytea) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$ select case when octet_length(p_body) > 1024 then octet_length(p_body) else 0 end::bigint $$;

CREATE TABLE public.api_keys (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    hash text NOT NULL,
    last6 text NOT NULL,
    type text NOT NULL,
    description text NOT NULL,
    limit_period text NOT NULL,
    limit_usd bigint,
    limit_diem bigint,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint
);

CREATE FUNCTION public.turnpike_key_refusal(p_key public.api_keys, p_diem bigint, p_usd bigint, p_now bigint) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
   declare
     spent record;
     held record;
   begin
     select coalesce(sum(usd), 0) as usd, coalesce(sum(diem), 0) as diem into spent
       from key_spend where api_key_id = p_key.id and period = turnpike_period(p_key.limit_period, p_now);
     select coalesce(sum(bundled + usd + x402), 0) as usd, coalesce(sum(diem), 0) as diem into held
       from reservations where account_id = p_key.account_id and api_key_id = p_key.id;
     if p_diem > 0 and spent.diem + held.diem + p_diem > p_key.limit_diem then
       return jsonb_build_object('reason', 'key-limit', 'currency', 'diem', 'period', p_key.limit_period);
     elsif p_usd > 0 and spent.usd + held.usd + p_usd > p_key.limit_usd then
       return jsonb_build_object('reason', 'key-limit', 'currency', 'usd', 'period', p_key.limit_period);
     end if;
     return null;
   end $$;

CREATE FUNCTION public.turnpike_lock(p_account_id bigint, p_wait boolean) RETURNS public.meters
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.turnpike_meter(p_calls jsonb, p_bodies bytea, p_limits jsonb, p_durable boolean, p_wait_ms integer) RETURNS TABLE(item integer, outcome text, refusal jsonb, replay bytea, remaining bigint, room bigint)
    LANGUAGE plpgsql
    AS $$
   #variable_conflict use_column
   declare
     v_calls turnpike_call[];
     v_alone bigint[];
     v_plain turnpike_call[];
     v_reserves boolean;
     v_settles boolean;
     v_done integer[] := '{}';
     v_now bigint;
   begin
     -- Every look-up here is by key. The tables of what runs now are often empty when they are analysed, and a plan
     -- that reads all of one is kept for when it no longer is. And a plan for just so many calls is not worth making.
     perform set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
       set_config('plan_cache_mode', 'force_generic_plan', true);
     if not p_durable then perform set_config('synchronous_commit', 'off', true); end if;
     select array_agg(c), bool_or(c.kind = 'reserve'), bool_or(c.kind = 'settle') into v_calls, v_reserves, v_settles
       from jsonb_populate_recordset(null::turnpike_call, p_calls) as c;
     if p_wait_ms is not null then
       perform set_config('lock_timeout', p_wait_ms::text, true);
     else
       select array_agg(account_id) into v_alone
         from (select m.account_id
                 from (select account_id from unnest(v_calls) group by account_id having count(*) = 1) as alone join meters m using (account_id)
                order by account_id for no key update of m skip locked) as locked;
       if cardinality(v_alone) = cardinality(v_calls) then
         v_plain := v_calls;
       else
         select array_agg(c) into v_plain from unnest(v_calls) as c where c.account_id = any(v_alone);
       end if;
       v_now := turnpike_now();
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

CREATE FUNCTION public.turnpike_meter_in_turn(p_calls public.turnpike_call[], p_bodies bytea, p_limits jsonb, p_wait_ms integer) RETURNS TABLE(item integer, outcome text, refusal jsonb, replay bytea, remaining bigint, room bigint)
    LANGUAGE plpgsql
    AS $$
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
         r := turnpike_reserve(m, c, case when c.kind = 'hold' then '{}' else p_limits end, v_now);
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
           room := case when turnpike_is_roomy(m, c.key_hash, p_limits, v_now) then turnpike_spendable(m, c.purse, v_now) / 64 else 0 end;
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

CREATE FUNCTION public.turnpike_note(m public.meters, c public.turnpike_call, p_now bigint) RETURNS text
    LANGUAGE plpgsql
    AS $$
   begin
     update reservations set expires_at = p_now + c.lease_ms, noted_amount = c.amount, noted_units = coalesce(c.units, 0), noted_resource = c.resource,
         noted_detail = c.detail, noted_request_id = c.request_id
       where account_id = m.account_id and id = c.reservation;
     return case when found then 'noted' else 'gone' end;
   end $$;

CREATE FUNCTION public.turnpike_now() RETURNS bigint
    LANGUAGE sql
    AS $$ select floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$;

CREATE FUNCTION public.turnpike_period(p_limit_period text, p_now bigint) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
     select case p_limit_period
       when 'LIFETIME' then 'all'
       when 'MONTH' then to_char(to_timestamp(p_now / 1000) at time zone 'UTC', 'YYYY-MM')
       else to_char(to_timestamp(p_now / 1000) at time zone 'UTC', 'YYYY-MM-DD')
     end
   $$;

CREATE FUNCTION public.turnpike_purse(m public.meters, p_purse text, p_now bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$ select case when p_purse = 'x402' then m.x402 else turnpike_diem(m, p_now) + m.bundled + m.usd end $$;

CREATE FUNCTION public.turnpike_refuse_ledger_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin raise exception 'the ledger is append-only'; end $$;

CREATE FUNCTION public.turnpike_reserve(INOUT m public.meters, c public.turnpike_call, p_limits jsonb, p_now bigint, OUT outcome text, OUT refusal jsonb, OUT replay bytea, OUT remaining bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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

     -- A clock that stepped back a little is in the same minute; one that was set back starts another.
     v_in_minute := p_now < m.minute_started_at + 60000 and p_now > m.minute_started_at - 60000;
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
         m.credits_minute := p_now / 60000;
         select coalesce(sum(credits), 0) into m.credits_total
           from credit_minutes where account_id = m.account_id and minute >= m.credits_minute - 1440;
       end if;
       v_left := v_cap - m.credits_total - m.held_credits;
       if c.credits > v_left then
         refusal := jsonb_build_object('reason', 'credit-cap', 'limit', v_cap, 'remaining', greatest(0, v_left),
           'resetAt', turnpike_credits_free_at(m.account_id, c.credits - v_left, p_now));
         return;
       end if;
     end if;

     -- Pots in the order in which a charge empties them.
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
     end if;
     if v_rest <> 0 then
       refusal := jsonb_build_object('reason', 'balance', 'spendableNanoUsd', c.amount - v_rest);
       return;
     end if;
     if k.limit_usd is not null or k.limit_diem is not null then
       refusal := turnpike_key_refusal(k, v_diem, c.amount - v_diem, p_now);
       if refusal is not null then return; end if;
     else
       k.limit_period := null;
     end if;

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

CREATE FUNCTION public.turnpike_reserve_together(p_calls public.turnpike_call[], p_limits jsonb, p_now bigint) RETURNS TABLE(item integer, remaining bigint)
    LANGUAGE plpgsql
    AS $$
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
         cross join lateral (select t.now < m.minute_started_at + 60000 and t.now > m.minute_started_at - 60000 as runs) as minute
         cross join lateral (select (p_limits -> 'requestsPerMinute' ->> a.tier)::bigint as requests, (p_limits -> 'creditsPerDay' ->> a.tier)::bigint as credits) as cap
         cross join lateral (select case when m.diem_epoch - t.now / 86400000 in (0, 1) then m.diem - m.diem_carried else 0 end as pot) as daily
         cross join lateral (select daily.pot, least(c.amount, greatest(0, daily.pot - m.held_diem)) as part) as diem
         cross join lateral (select least(c.amount - diem.part, m.bundled - m.held_bundled) as part) as bundled
         cross join lateral (select c.amount - diem.part - bundled.part as part) as usd
        where c.kind = 'reserve' and c.attempt = 1 and c.purse = 'account' and c.idempotency_key is null
          and k.revoked_at is null and (k.expires_at is null or k.expires_at > t.now) and k.limit_usd is null and k.limit_diem is null
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

CREATE FUNCTION public.turnpike_settle(INOUT m public.meters, c public.turnpike_call, p_body bytea, p_now bigint, OUT outcome text, OUT remaining bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
     if v_diem > 0 then perform turnpike_charge(c, 'diem', v_diem, m.diem, p_now); end if;
     if v_bundled > 0 then perform turnpike_charge(c, 'bundled', v_bundled, m.bundled, p_now); end if;
     if v_usd > 0 then perform turnpike_charge(c, 'usd', v_usd, m.usd, p_now); end if;
     if v_x402 > 0 then perform turnpike_charge(c, 'x402', v_x402, m.x402, p_now); end if;

     insert into credit_minutes (account_id, minute, credits) values (m.account_id, v_minute, c.credits)
       on conflict (account_id, minute) do update set credits = credit_minutes.credits + excluded.credits;
     if m.credits_minute = v_minute then m.credits_total := m.credits_total + c.credits; end if;
     if r.limit_period is not null then
       insert into key_spend (api_key_id, period, usd, diem)
         values (r.api_key_id, turnpike_period(r.limit_period, p_now), c.amount - v_diem, v_diem)
         on conflict (api_key_id, period) do update set usd = key_spend.usd + excluded.usd, diem = key_spend.diem + excluded.diem;
     end if;
     outcome := 'settled';
     if r.idempotency_key is not null and (p_body is not null or c.keep_bytes is not null) then
       -- A gateway of the version before says nothing of bytes.
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

CREATE FUNCTION public.turnpike_settle_together(p_calls public.turnpike_call[], p_now bigint) RETURNS TABLE(item integer, remaining bigint)
    LANGUAGE plpgsql
    AS $$
   #variable_conflict use_column
   begin
     return query
     with charged as (
       delete from reservations r using unnest(p_calls) as c, meters m
        where c.kind = 'settle' and r.account_id = c.account_id and r.id = c.reservation and m.account_id = c.account_id
          and r.limit_period is null and r.idempotency_key is null and r.diem_epoch = m.diem_epoch
          and c.amount <= r.diem + r.bundled + r.usd + r.x402
       returning c.item, c.account_id, c.purse, c.api_key_id, c.resource, c.detail, c.credits, coalesce(c.units, c.credits) as units, c.request_id, coalesce(c.at, p_now) as now,
         r.diem as held_diem, r.bundled as held_bundled, r.usd as held_usd, r.x402 as held_x402, r.credits as held_credits,
         least(c.amount, r.diem) as diem,
         least(c.amount - least(c.amount, r.diem), r.bundled) as bundled,
         least(greatest(0, c.amount - r.diem - r.bundled), r.usd) as usd,
         greatest(0, c.amount - r.diem - r.bundled - r.usd) as x402
     ),
     counted as (
       insert into credit_minutes (account_id, minute, credits) select account_id, now / 60000, credits from charged
         on conflict (account_id, minute) do update set credits = credit_minutes.credits + excluded.credits
     ),
     kept as (
       update meters m set
         diem = m.diem - c.diem, bundled = m.bundled - c.bundled, usd = m.usd - c.usd, x402 = m.x402 - c.x402,
         held_diem = m.held_diem - c.held_diem, held_bundled = m.held_bundled - c.held_bundled,
         held_usd = m.held_usd - c.held_usd, held_x402 = m.held_x402 - c.held_x402, held_credits = m.held_credits - c.held_credits,
         credits_total = case when m.credits_minute = c.now / 60000 then m.credits_total + c.credits else m.credits_total end
       from charged c where m.account_id = c.account_id
       returning c.*, m.diem as diem_after, m.bundled as bundled_after, m.usd as usd_after, m.x402 as x402_after,
         case when c.purse = 'x402' then m.x402
              else case when m.diem_epoch - c.now / 86400000 in (0, 1) then m.diem - m.diem_carried else 0 end + m.bundled + m.usd end as remaining
     ),
     entered as (
       insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at)
         select k.account_id, p.pot, 'CHARGE', -p.amount, p.balance, k.api_key_id, k.resource, k.detail, k.units, k.request_id, k.now
           from kept k cross join lateral
             (values ('diem', k.diem, k.diem_after), ('bundled', k.bundled, k.bundled_after), ('usd', k.usd, k.usd_after), ('x402', k.x402, k.x402_after))
             as p (pot, amount, balance)
          where p.amount > 0
     )
     select item, remaining from kept;
   end $$;

CREATE FUNCTION public.turnpike_spendable(m public.meters, p_purse text, p_now bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$ select case when p_purse = 'x402' then m.x402 - m.held_x402
        else greatest(0, turnpike_diem(m, p_now) - m.held_diem) + m.bundled - m.held_bundled + m.usd - m.held_usd end $$;

CREATE FUNCTION public.turnpike_sum_records() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   begin
     if tg_op = 'INSERT' then
       insert into idempotency_sums as s (account_id, records, bytes) values (new.account_id, 1, turnpike_kept_bytes(new.body))
         on conflict (account_id) do update set records = s.records + 1, bytes = s.bytes + excluded.bytes;
     elsif tg_op = 'DELETE' then
       update idempotency_sums set records = records - 1, bytes = bytes - turnpike_kept_bytes(old.body) where account_id = old.account_id;
     else
       update idempotency_sums set bytes = bytes + turnpike_kept_bytes(new.body) - turnpike_kept_bytes(old.body) where account_id = new.account_id;
     end if;
     return null;
   end $$;

CREATE FUNCTION public.turnpike_was_charged(p_account_id bigint, p_request_id text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
     select exists (
       select from (select request_id, kind from ledger where account_id = p_account_id order by id desc limit 10000) as newest
        where request_id = p_request_id and kind = 'CHARGE')
   $$;

CREATE TABLE public.accounts (
    id bigint NOT NULL,
    label text NOT NULL,
    tier text NOT NULL,
    created_at bigint NOT NULL
);

ALTER TABLE public.accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.allocations (
    account_id bigint NOT NULL,
    epoch integer NOT NULL,
    amount bigint NOT NULL,
    staked text NOT NULL,
    pool text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT allocations_amount_check CHECK ((amount > 0))
);

ALTER TABLE public.api_keys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.api_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.credit_minutes (
    account_id bigint NOT NULL,
    minute integer NOT NULL,
    credits bigint NOT NULL
);

CREATE TABLE public.idempotency_records (
    account_id bigint NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    body bytea NOT NULL,
    created_at bigint NOT NULL,
    is_kept integer DEFAULT 1 NOT NULL
);

CREATE TABLE public.idempotency_sums (
    account_id bigint NOT NULL,
    records bigint DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.key_spend (
    api_key_id bigint NOT NULL,
    period text NOT NULL,
    usd bigint NOT NULL,
    diem bigint NOT NULL
);

CREATE TABLE public.key_usage_days (
    api_key_id bigint NOT NULL,
    day integer NOT NULL,
    usd bigint NOT NULL,
    diem bigint NOT NULL,
    last_used_at bigint NOT NULL
);

CREATE TABLE public.key_usage_marks (
    account_id bigint NOT NULL,
    through bigint NOT NULL
);

CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);

CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.ledger (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    pot text NOT NULL,
    kind text NOT NULL,
    amount bigint NOT NULL,
    balance_after bigint NOT NULL,
    api_key_id bigint,
    resource text NOT NULL,
    detail text NOT NULL,
    units bigint NOT NULL,
    request_id text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT ledger_balance_after_check CHECK ((balance_after >= 0))
);

ALTER TABLE public.ledger ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ledger_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.payment_signers (
    key text NOT NULL,
    next_nonce bigint DEFAULT 0 NOT NULL,
    used_at bigint DEFAULT 0 NOT NULL,
    lease_owner text,
    lease_until bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.payments (
    id text NOT NULL,
    identity text NOT NULL,
    network text NOT NULL,
    asset text NOT NULL,
    payer text NOT NULL,
    pay_to text NOT NULL,
    amount_units text NOT NULL,
    amount bigint NOT NULL,
    state text NOT NULL,
    content text NOT NULL,
    transaction_id text,
    from_height bigint NOT NULL,
    expires_at bigint,
    expires_height bigint,
    attempts integer DEFAULT 0 NOT NULL,
    looks integer DEFAULT 0 NOT NULL,
    error text,
    account_id bigint,
    balance_after bigint,
    lease_owner text,
    lease_until bigint DEFAULT 0 NOT NULL,
    next_look_at bigint NOT NULL,
    created_at bigint NOT NULL,
    submitted_at bigint,
    settled_at bigint,
    credited_at bigint,
    waits_for text,
    searched_to bigint,
    client text,
    tried_at bigint
);

CREATE VIEW public.usage AS
 SELECT min(ledger.id) AS id,
    ledger.account_id,
    ledger.api_key_id,
    ledger.resource,
    ledger.detail,
    max(ledger.units) AS units,
    ((- sum(ledger.amount)))::bigint AS amount,
    ledger.request_id,
    ledger.created_at
   FROM public.ledger
  WHERE (ledger.kind = 'CHARGE'::text)
  GROUP BY ledger.account_id, ledger.request_id, ledger.api_key_id, ledger.resource, ledger.detail, ledger.created_at;

CREATE TABLE public.video_requests (
    id text NOT NULL,
    account_id bigint NOT NULL,
    model text NOT NULL,
    upstream text NOT NULL,
    content text NOT NULL,
    price bigint NOT NULL,
    request_id text NOT NULL,
    state text NOT NULL,
    submitted_at bigint,
    upstream_id text,
    expected_ms bigint,
    media_key text,
    media_bytes bigint,
    error text,
    refunded bigint DEFAULT 0 NOT NULL,
    lease_owner text,
    lease_until bigint DEFAULT 0 NOT NULL,
    next_look_at bigint NOT NULL,
    looks integer DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL,
    ended_at bigint,
    execution_ms bigint
);

CREATE TABLE public.wallets (
    address text NOT NULL,
    account_id bigint NOT NULL,
    created_at bigint NOT NULL
);

INSERT INTO public.accounts OVERRIDING SYSTEM VALUE VALUES (1, 'Sandbox demo', 'paid', 1795165200000);
INSERT INTO public.accounts OVERRIDING SYSTEM VALUE VALUES (3, '0x5e1f000000000000000000000000000000000001', 'paid', 1795165260000);
INSERT INTO public.accounts OVERRIDING SYSTEM VALUE VALUES (2, 'a customer', 'paid', 1795165200000);

INSERT INTO public.allocations VALUES (2, 20777, 2000000000, '1', '1', 1795165200000);
INSERT INTO public.allocations VALUES (2, 20778, 3000000000, '1', '1', 1795251600000);
INSERT INTO public.allocations VALUES (2, 20779, 1000000000, '1', '1', 1795338000000);

INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (1, 1, '3996faa3905581af754d4f86f08f2572811349b638315abdee4ea8fd885e35e3', 'zyU6Zs', 'INFERENCE', 'Sandbox demo key', 'LIFETIME', NULL, NULL, 1795165200000, NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (2, 2, '6362a4c2fc20ef3487dc74021910ab44bd53c4936649f87859e27dee5390f775', 'imited', 'INFERENCE', 'limited', 'EPOCH', 2000000000, 1000000000, 1795165200000, NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (3, 2, 'c553d2a4b913d028fe2a8f2da585c5cc67f6a1a61635c2b74e432b1f02ecdfd9', '_plain', 'ADMIN', 'plain', 'LIFETIME', NULL, NULL, 1795165200000, NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (4, 2, '43c6aef9262a4c2c3a731b59f7a8f505c321287217b7e74c9aa34c0c459a6e98', 'evoked', 'INFERENCE', 'revoked', 'MONTH', NULL, NULL, 1795165200000, NULL, 1795165200000);

INSERT INTO public.credit_minutes VALUES (1, 29919420, 60);
INSERT INTO public.credit_minutes VALUES (3, 29919421, 0);
INSERT INTO public.credit_minutes VALUES (2, 29919421, 60);
INSERT INTO public.credit_minutes VALUES (2, 29920860, 0);

INSERT INTO public.idempotency_records VALUES (2, 'small', 'fingerprint of small', '\x616e7377657220746f20736d616c6c2e20616e7377657220746f20736d61', 1795165260000, 1);
INSERT INTO public.idempotency_records VALUES (2, 'large', 'fingerprint of large', '\x616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c617267652e20616e7377657220746f206c', 1795165260000, 1);
INSERT INTO public.idempotency_records VALUES (2, 'unkept', 'fingerprint of unkept', '\x', 1795165260000, 0);

INSERT INTO public.idempotency_sums VALUES (2, 3, 2000);

INSERT INTO public.key_spend VALUES (2, '2026-11-20', 500000000, 0);
INSERT INTO public.key_spend VALUES (2, '2026-11-21', 0, 1000000000);

INSERT INTO public.key_usage_days VALUES (2, 20777, 500000000, 0, 1795165260000);
INSERT INTO public.key_usage_days VALUES (3, 20777, 2600042000, 2000000000, 1795165260000);

INSERT INTO public.key_usage_marks VALUES (2, 1795172100000);

INSERT INTO public.kysely_migration VALUES ('0001-spine', '2026-11-20T09:00:00.000Z');
INSERT INTO public.kysely_migration VALUES ('0002-wallets', '2026-11-20T09:00:00.001Z');
INSERT INTO public.kysely_migration VALUES ('0003-payments', '2026-11-20T09:00:00.002Z');
INSERT INTO public.kysely_migration VALUES ('0004-key-usage', '2026-11-20T09:00:00.003Z');
INSERT INTO public.kysely_migration VALUES ('0005-calls-together', '2026-11-20T09:00:00.004Z');
INSERT INTO public.kysely_migration VALUES ('0006-long-calls', '2026-11-20T09:00:00.005Z');
INSERT INTO public.kysely_migration VALUES ('0007-video-requests', '2026-11-20T09:00:00.006Z');
INSERT INTO public.kysely_migration VALUES ('0008-units', '2026-11-20T09:00:00.007Z');
INSERT INTO public.kysely_migration VALUES ('0009-charges-at-once', '2026-11-20T09:00:00.008Z');
INSERT INTO public.kysely_migration VALUES ('0010-open-payments', '2026-11-20T09:00:00.009Z');
INSERT INTO public.kysely_migration VALUES ('0011-kept-answers', '2026-11-20T09:00:00.010Z');
INSERT INTO public.kysely_migration VALUES ('0012-payment-attempts', '2026-11-20T09:00:00.011Z');

INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);

INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (1, 1, 'bundled', 'GRANT', 1000000000000, 1000000000000, NULL, 'grant', 'sandbox demo credit', 0, '', 1795165200000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (2, 1, 'bundled', 'CHARGE', -14000, 999999986000, 1, 'rpc/ethereum-mainnet', 'eth_chainId', 20, 'req_demo1', 1795165200000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (3, 1, 'bundled', 'CHARGE', -28000, 999999958000, 1, 'rpc/base-mainnet', 'eth_getLogs', 40, 'req_demo2', 1795165200000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (4, 2, 'usd', 'GRANT', 5000000000, 5000000000, NULL, 'grant', 'by invoice', 0, '', 1795165200000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (5, 2, 'bundled', 'GRANT', 1000000000, 1000000000, NULL, 'grant', 'welcome', 0, '', 1795165200000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (6, 2, 'diem', 'ALLOCATION', 2000000000, 2000000000, NULL, 'allocation', '2026-11-20', 0, '', 1795165200000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (7, 2, 'diem', 'CHARGE', -2000000000, 0, 3, 'chat/guide', '', 900, 'req_spans', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (8, 2, 'bundled', 'CHARGE', -1000000000, 0, 3, 'chat/guide', '', 900, 'req_spans', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (9, 2, 'usd', 'CHARGE', -1000000000, 4000000000, 3, 'chat/guide', '', 900, 'req_spans', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (10, 2, 'usd', 'CHARGE', -500000000, 3500000000, 2, 'speech/standard', 'mp3', 120, 'req_limited', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (11, 2, 'usd', 'CHARGE', -14000, 3499986000, 3, 'rpc/solana-mainnet', 'getSlot', 20, 'req_small', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (12, 2, 'usd', 'CHARGE', -14000, 3499972000, 3, 'rpc/solana-mainnet', 'getSlot', 20, 'req_large', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (13, 2, 'usd', 'CHARGE', -14000, 3499958000, 3, 'rpc/solana-mainnet', 'getSlot', 20, 'req_unkept', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (14, 3, 'x402', 'TOP_UP', 10000000000, 10000000000, NULL, 'top-up', 'eip155:31337', 0, 'pay_f77ef32fb62705f101ed0be140c385da', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (15, 3, 'x402', 'CHARGE', -2000000000, 8000000000, NULL, 'chat/guide', '', 400, 'req_wallet', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (16, 2, 'usd', 'CHARGE', -300000000, 3199958000, 3, 'video/render', '', 4, 'req_video_made', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (17, 2, 'usd', 'CHARGE', -200000000, 2999958000, 3, 'video/render', '', 4, 'req_video_failed', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (18, 2, 'usd', 'CHARGE', -100000000, 2899958000, 3, 'video/render', '', 4, 'req_video_running', 1795165260000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (19, 2, 'usd', 'REFUND', 200000000, 3099958000, NULL, 'refund', 'video video_failed', 0, 'req_video_failed', 1795165320000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (20, 2, 'diem', 'ALLOCATION', 3000000000, 3000000000, NULL, 'allocation', '2026-11-21', 0, '', 1795251600000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (21, 2, 'diem', 'CHARGE', -1000000000, 2000000000, 2, 'chat/guide', '', 10, 'req_next_day', 1795251600000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (22, 2, 'diem', 'EXPIRY', -2000000000, 0, NULL, 'allocation', '2026-11-21', 0, '', 1795338000000);
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (23, 2, 'diem', 'ALLOCATION', 1000000000, 1000000000, NULL, 'allocation', '2026-11-22', 0, '', 1795338000000);

INSERT INTO public.meters VALUES (3, 0, 0, 0, 8000000000, 1795165260000, 1, 0, 0, 0, 0, 0, 0, 0, 1795165320000, 0, 0, 0, 0);
INSERT INTO public.meters VALUES (1, 0, 999999958000, 0, 0, 1795165200000, 2, 0, 0, 0, 0, 0, 0, 0, 1795165260000, 0, 0, 0, 0);
INSERT INTO public.meters VALUES (2, 1000000000, 0, 3099958000, 0, 1795251600000, 1, 1000000000, 0, 0, 0, 0, 0, 0, 1795338060000, 20779, 0, 0, 0);

INSERT INTO public.payment_signers VALUES ('eip155:31337/0x5164000000000000000000000000000000000001', 4, 1795165260000, NULL, 0);

INSERT INTO public.payments VALUES ('pay_248ccc499558e4a36752deb27289ea9b', 'eip155:31337/0x70ce000000000000000000000000000000000001/0x5e1f000000000000000000000000000000000001/4', 'eip155:31337', '0x70ce000000000000000000000000000000000001', '0x5e1f000000000000000000000000000000000001', '0x9a1d000000000000000000000000000000000001', '4000000', 4000000000, 'verified', '{"signature":"0x00"}', NULL, 7, 1795168800000, NULL, 0, 0, NULL, NULL, NULL, NULL, 0, 1795165260000, 1795165260000, NULL, NULL, NULL, NULL, NULL, '192.0.2.7', NULL);
INSERT INTO public.payments VALUES ('pay_40d40776b70d5080e45a871dfb91d47a', 'eip155:31337/0x70ce000000000000000000000000000000000001/0x5e1f000000000000000000000000000000000001/3', 'eip155:31337', '0x70ce000000000000000000000000000000000001', '0x5e1f000000000000000000000000000000000001', '0x9a1d000000000000000000000000000000000001', '3000000', 3000000000, 'submitted', '{"signature":"0x00"}', '0x03', 7, 1795168800000, NULL, 1, 0, NULL, NULL, NULL, 'a process that is gone', 1795165320000, 1795165260000, 1795165260000, 1795165260000, NULL, NULL, 'The chain has not confirmed it yet.', 9, '192.0.2.7', 1795165260000);
INSERT INTO public.payments VALUES ('pay_c45bbaaeb71ff7172aed272987c866f4', 'eip155:31337/0x70ce000000000000000000000000000000000001/0x5e1f000000000000000000000000000000000001/2', 'eip155:31337', '0x70ce000000000000000000000000000000000001', '0x5e1f000000000000000000000000000000000001', '0x9a1d000000000000000000000000000000000001', '1000000', 1000000000, 'failed', '{"signature":"0x00"}', NULL, 7, 1795168800000, NULL, 1, 0, 'The authorization expired.', NULL, NULL, NULL, 0, 1795165260000, 1795165260000, 1795165260000, NULL, NULL, NULL, NULL, NULL, 1795165260000);
INSERT INTO public.payments VALUES ('pay_f77ef32fb62705f101ed0be140c385da', 'eip155:31337/0x70ce000000000000000000000000000000000001/0x5e1f000000000000000000000000000000000001/1', 'eip155:31337', '0x70ce000000000000000000000000000000000001', '0x5e1f000000000000000000000000000000000001', '0x9a1d000000000000000000000000000000000001', '10000000', 10000000000, 'credited', '{"signature":"0x00"}', '0x01', 7, 1795168800000, NULL, 1, 0, NULL, 3, 10000000000, NULL, 0, 1795165260000, 1795165260000, 1795165260000, 1795165260000, 1795165260000, NULL, NULL, NULL, 1795165260000);

INSERT INTO public.reservations VALUES (2, 'a30e7079-b1e0-4936-8e88-421ada2f9ec0', 3, 'account', 1000000000, 0, 0, 0, 0, NULL, NULL, NULL, 1795338000000, 1795338060000, 20779, 250000000, 'chat/guide', 'stream', 'req_stream', 77);

INSERT INTO public.video_requests VALUES ('video_running', 2, 'render', 'studio', '{"prompt":"a barrier lifts"}', 100000000, 'req_video_running', 'PROCESSING', 1795165260000, 'u_running', 9000, 'media/running', NULL, NULL, 0, NULL, 0, 1795165260000, 0, 1795165260000, NULL, NULL);
INSERT INTO public.video_requests VALUES ('video_made', 2, 'render', 'studio', '{"prompt":"a barrier lifts"}', 300000000, 'req_video_made', 'COMPLETED', 1795165260000, 'u_made', 9000, 'media/made', 12345, NULL, 0, NULL, 0, 1795165260000, 0, 1795165260000, 1795165320000, 60000);
INSERT INTO public.video_requests VALUES ('video_failed', 2, 'render', 'studio', '{"prompt":"a barrier lifts"}', 200000000, 'req_video_failed', 'FAILED', 1795165260000, 'u_failed', 9000, 'media/failed', NULL, 'The studio could not make it.', 200000000, NULL, 0, 1795165260000, 0, 1795165260000, 1795165320000, NULL);

INSERT INTO public.wallets VALUES ('0x5e1f000000000000000000000000000000000001', 3, 1795165260000);

SELECT pg_catalog.setval('public.accounts_id_seq', 3, true);

SELECT pg_catalog.setval('public.api_keys_id_seq', 4, true);

SELECT pg_catalog.setval('public.ledger_id_seq', 23, true);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.allocations
    ADD CONSTRAINT allocations_pk PRIMARY KEY (account_id, epoch);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.credit_minutes
    ADD CONSTRAINT credit_minutes_pk PRIMARY KEY (account_id, minute);

ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_pk PRIMARY KEY (account_id, key);

ALTER TABLE ONLY public.idempotency_sums
    ADD CONSTRAINT idempotency_sums_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.key_spend
    ADD CONSTRAINT key_spend_pk PRIMARY KEY (api_key_id, period);

ALTER TABLE ONLY public.key_usage_days
    ADD CONSTRAINT key_usage_days_pk PRIMARY KEY (api_key_id, day);

ALTER TABLE ONLY public.key_usage_marks
    ADD CONSTRAINT key_usage_marks_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.meters
    ADD CONSTRAINT meters_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.payment_signers
    ADD CONSTRAINT payment_signers_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_identity_key UNIQUE (identity);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.reservations
    ADD CONSTRAINT reservations_pk PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.video_requests
    ADD CONSTRAINT video_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.wallets
    ADD CONSTRAINT wallets_account_id_key UNIQUE (account_id);

ALTER TABLE ONLY public.wallets
    ADD CONSTRAINT wallets_pkey PRIMARY KEY (address);

CREATE INDEX api_keys_by_account ON public.api_keys USING btree (account_id);

CREATE INDEX credit_minutes_by_minute ON public.credit_minutes USING btree (minute);

CREATE INDEX idempotency_records_by_age ON public.idempotency_records USING btree (created_at);

CREATE INDEX ledger_by_account ON public.ledger USING btree (account_id, created_at, units);

CREATE INDEX payments_by_payer ON public.payments USING btree (payer, created_at);

CREATE INDEX payments_by_state ON public.payments USING btree (state, next_look_at);

CREATE UNIQUE INDEX reservations_by_idempotency_key ON public.reservations USING btree (account_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX video_requests_by_account ON public.video_requests USING btree (account_id, state);

CREATE INDEX video_requests_by_model ON public.video_requests USING btree (model, ended_at);

CREATE INDEX video_requests_by_state ON public.video_requests USING btree (state, next_look_at);

CREATE TRIGGER idempotency_records_summed AFTER INSERT OR DELETE OR UPDATE OF body ON public.idempotency_records FOR EACH ROW EXECUTE FUNCTION public.turnpike_sum_records();

CREATE TRIGGER ledger_refuses_delete BEFORE DELETE ON public.ledger FOR EACH STATEMENT EXECUTE FUNCTION public.turnpike_refuse_ledger_change();

CREATE TRIGGER ledger_refuses_truncate BEFORE TRUNCATE ON public.ledger FOR EACH STATEMENT EXECUTE FUNCTION public.turnpike_refuse_ledger_change();

CREATE TRIGGER ledger_refuses_update BEFORE UPDATE ON public.ledger FOR EACH STATEMENT EXECUTE FUNCTION public.turnpike_refuse_ledger_change();

ALTER TABLE ONLY public.allocations
    ADD CONSTRAINT allocations_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.idempotency_sums
    ADD CONSTRAINT idempotency_sums_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.key_spend
    ADD CONSTRAINT key_spend_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.key_usage_days
    ADD CONSTRAINT key_usage_days_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.key_usage_marks
    ADD CONSTRAINT key_usage_marks_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.meters
    ADD CONSTRAINT meters_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.video_requests
    ADD CONSTRAINT video_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.wallets
    ADD CONSTRAINT wallets_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

/** Calls that run for long: their leases are renewed, and what they came to so far is charged where a lease ends. */
export const LONG_CALLS = [
  `alter table reservations
     add noted_amount bigint not null default 0, add noted_resource text, add noted_detail text, add noted_request_id text`,

  // Keeps a reservation alive, and says what its call came to so far.
  `create function turnpike_note(m meters, c turnpike_call, p_now bigint) returns text language plpgsql as $$
   begin
     update reservations set expires_at = p_now + c.lease_ms, noted_amount = c.amount, noted_resource = c.resource,
         noted_detail = c.detail, noted_request_id = c.request_id
       where account_id = m.account_id and id = c.reservation;
     return case when found then 'noted' else 'gone' end;
   end $$`,

  // Deletes what has expired of a caller, and takes its holds off the meter; what was noted of it is charged first.
  `create or replace function turnpike_expire(inout m meters, p_now bigint) language plpgsql as $$
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
   end $$`,

  // As before, with two more kinds of calls. A 'hold' is a reservation that neither counts toward the caps of the RPC
  // proxy nor is refused for them; a 'note' is what a running call came to so far.
  `create or replace function turnpike_meter_in_turn(p_calls turnpike_call[], p_bodies bytea, p_limits jsonb, p_wait_ms integer)
   returns table (item integer, outcome text, refusal jsonb, replay bytea, remaining bigint) language plpgsql as $$
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
       if m.account_id is null then
         outcome := 'contended';
         return next;
         continue;
       end if;
       v_now := coalesce(c.at, turnpike_now());
       if c.kind in ('reserve', 'hold') then
         if m.lease_due_at <= v_now then m := turnpike_expire(m, v_now); end if;
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
   end $$`,
];

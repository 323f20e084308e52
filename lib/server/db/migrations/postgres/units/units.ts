/**
 * What the ledger counts of a call, which may be other than the credits that the rolling cap counts. A gateway of the
 * version before sends none: then they are its credits.
 */
export const UNITS = [
  'alter type turnpike_call add attribute units bigint',
  'alter table reservations add noted_units bigint not null default 0',

  `create or replace function turnpike_charge(c turnpike_call, p_pot text, p_amount bigint, p_balance bigint, p_now bigint) returns void language plpgsql as $$
   begin
     insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at)
       values (c.account_id, p_pot, 'CHARGE', -p_amount, p_balance, c.api_key_id, c.resource, c.detail, coalesce(c.units, c.credits), c.request_id, p_now);
   end $$`,

  // As before, with units.
  `create or replace function turnpike_settle_together(p_calls turnpike_call[], p_now bigint)
   returns table (item integer, remaining bigint) language plpgsql as $$
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
   end $$`,

  // As before, with units.
  `create or replace function turnpike_note(m meters, c turnpike_call, p_now bigint) returns text language plpgsql as $$
   begin
     update reservations set expires_at = p_now + c.lease_ms, noted_amount = c.amount, noted_units = coalesce(c.units, 0), noted_resource = c.resource,
         noted_detail = c.detail, noted_request_id = c.request_id
       where account_id = m.account_id and id = c.reservation;
     return case when found then 'noted' else 'gone' end;
   end $$`,

  // As before, with units.
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
   end $$`,
];

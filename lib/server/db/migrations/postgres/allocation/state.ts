/** What is in a caller's pots, of which the daily one is spent in its own epoch only. */
export const STATE = [
  // The daily pot at this time, without what running calls of earlier epochs held of it. A clock that steps back over
  // midnight does not take away what was fixed a moment before.
  `create function turnpike_diem(m meters, p_now bigint) returns bigint language sql immutable as
   $$ select case when m.diem_epoch - p_now / 86400000 in (0, 1) then m.diem - m.diem_carried else 0 end $$`,

  // What a purse has, what is reserved included.
  `create function turnpike_purse(m meters, p_purse text, p_now bigint) returns bigint language sql immutable as
   $$ select case when p_purse = 'x402' then m.x402 else turnpike_diem(m, p_now) + m.bundled + m.usd end $$`,

  // What can be reserved of it.
  `create function turnpike_spendable(m meters, p_purse text, p_now bigint) returns bigint language sql immutable as
   $$ select case when p_purse = 'x402' then m.x402 - m.held_x402
        else greatest(0, turnpike_diem(m, p_now) - m.held_diem) + m.bundled - m.held_bundled + m.usd - m.held_usd end $$`,

  `create or replace function turnpike_keep(m meters) returns void language plpgsql as $$
   begin
     update meters set
       diem = m.diem, bundled = m.bundled, usd = m.usd, x402 = m.x402,
       minute_started_at = m.minute_started_at, minute_requests = m.minute_requests,
       held_diem = m.held_diem, held_bundled = m.held_bundled, held_usd = m.held_usd, held_x402 = m.held_x402,
       held_credits = m.held_credits, credits_minute = m.credits_minute, credits_total = m.credits_total,
       lease_due_at = m.lease_due_at, diem_epoch = m.diem_epoch, diem_carried = m.diem_carried
     where account_id = m.account_id;
   end $$`,

  // Deletes what has expired of a caller, and takes its holds off the meter.
  `create or replace function turnpike_expire(inout m meters, p_now bigint) language plpgsql as $$
   declare
     gone record;
   begin
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

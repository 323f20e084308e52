/** Reservations whose process died, or took longer than its lease. */
export const LEASES = [
  // Deletes what has expired of a caller, and takes its holds off the meter.
  `create function turnpike_expire(inout m meters, p_now bigint) language plpgsql as $$
   declare
     gone record;
   begin
     with expired as (delete from reservations where account_id = m.account_id and expires_at <= p_now returning *)
     select coalesce(sum(diem), 0)::bigint as diem, coalesce(sum(bundled), 0)::bigint as bundled, coalesce(sum(usd), 0)::bigint as usd,
            coalesce(sum(x402), 0)::bigint as x402, coalesce(sum(credits), 0)::bigint as credits
       into gone from expired;
     m.held_diem := m.held_diem - gone.diem;
     m.held_bundled := m.held_bundled - gone.bundled;
     m.held_usd := m.held_usd - gone.usd;
     m.held_x402 := m.held_x402 - gone.x402;
     m.held_credits := m.held_credits - gone.credits;
     select min(expires_at) into m.lease_due_at from reservations where account_id = m.account_id;
   end $$`,

  // The same for all callers, those that do not call again included. Whoever is busy is left to its own next call.
  `create function turnpike_expire_all(p_now bigint) returns integer language plpgsql as $$
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
   end $$`,
];

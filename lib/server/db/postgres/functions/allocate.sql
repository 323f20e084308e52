-- Fixes the daily allocation of the epoch that runs, unless one is fixed: of any number of gateways one does, and all see
-- what it fixed. What is left of the epoch before expires, but for what running calls still hold of it: that is carried,
-- out of reach of anybody else, until they are charged, and what they free of it expires with the next one.
-- Returns what is fixed.
create or replace function turnpike_allocate(p_account_id bigint, p_amount bigint, p_staked text, p_pool text, p_at bigint)
returns table (epoch integer, amount bigint) language plpgsql as $$
#variable_conflict use_column
declare
  m meters;
  v_now bigint;
  v_epoch integer;
  v_held bigint;
begin
  m := turnpike_lock(p_account_id, true);
  v_now := coalesce(p_at, turnpike_now());
  v_epoch := turnpike_epoch(v_now);
  if not turnpike_is_current_epoch(m.diem_epoch, v_now) then
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
    end if;
    -- Also where another gateway has fixed it: the leases that were ended are gone, and what they held has to be free.
    perform turnpike_keep(m);
  end if;
  return query select a.epoch, a.amount from allocations a where a.account_id = m.account_id and a.epoch = m.diem_epoch;
end $$;

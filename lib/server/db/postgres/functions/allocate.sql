-- Adds a ledger row for the daily balance. p_kind is 'ALLOCATION' or 'EXPIRY'. The row's detail is the epoch's date.
create or replace function turnpike_allocation_row(p_account_id bigint, p_kind text, p_amount bigint, p_balance bigint, p_epoch integer, p_now bigint)
returns void language sql as $$
  insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at)
    values (p_account_id, 'diem', p_kind, p_amount, p_balance, null, 'allocation',
      to_char(to_timestamp(p_epoch * 86400::bigint) at time zone 'UTC', 'YYYY-MM-DD'), 0, '', p_now)
$$;

-- Fixes the daily allocation of the current epoch, unless a gateway has already fixed it, so that all gateways see the
-- same one. The unused part of the previous allocation expires. The part that running calls still hold is carried over:
-- only those calls can spend it, and what they do not spend expires at the next allocation. Returns the fixed epoch and
-- amount.
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
    -- Needed in any case, because turnpike_expire changed the meter's holds.
    perform turnpike_keep(m);
  end if;
  return query select a.epoch, a.amount from allocations a where a.account_id = m.account_id and a.epoch = m.diem_epoch;
end $$;

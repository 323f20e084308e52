-- Adds a ledger row for the daily pot: p_kind is 'ALLOCATION' or 'EXPIRY'. The row's detail is the epoch's date.
create or replace function turnpike_allocation_row(p_account_id bigint, p_kind text, p_amount bigint, p_balance bigint, p_epoch integer, p_now bigint)
returns void language sql as $$
  insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at)
    values (p_account_id, 'diem', p_kind, p_amount, p_balance, null, 'allocation',
      to_char(to_timestamp(p_epoch * 86400::bigint) at time zone 'UTC', 'YYYY-MM-DD'), 0, '', p_now)
$$;

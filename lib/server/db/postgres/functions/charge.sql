-- Adds the ledger row for what a call spent from one pot. Without units, the row counts the call's credits.
create or replace function turnpike_charge(c turnpike_call, p_pot text, p_amount bigint, p_balance bigint, p_now bigint) returns void language plpgsql as $$
begin
  insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at)
    values (c.account_id, p_pot, 'CHARGE', -p_amount, p_balance, c.api_key_id, c.resource, c.detail, coalesce(c.units, c.credits), c.request_id, p_now);
end $$;

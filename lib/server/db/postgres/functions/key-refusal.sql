-- Returns why a key's own limits refuse this hold, or null. A limit covers what the key spent in its period and what it
-- holds. p_usd: the part of the hold that is not daily allocation. p_x402: the prepaid part of p_usd, which a key
-- without limit_prepaid may not spend.
create or replace function turnpike_key_refusal(p_key api_keys, p_diem bigint, p_usd bigint, p_x402 bigint, p_now bigint) returns jsonb language plpgsql as $$
declare
  spent record;
  held record;
begin
  select coalesce(sum(usd), 0) as usd, coalesce(sum(diem), 0) as diem, coalesce(sum(prepaid), 0) as prepaid into spent
    from key_spend where api_key_id = p_key.id and period = turnpike_period(p_key.limit_period, p_now);
  select coalesce(sum(bundled + usd + x402), 0) as usd, coalesce(sum(diem), 0) as diem, coalesce(sum(x402), 0) as prepaid into held
    from reservations where account_id = p_key.account_id and api_key_id = p_key.id;
  if p_diem > 0 and spent.diem + held.diem + p_diem > p_key.limit_diem then
    return jsonb_build_object('reason', 'key-limit', 'currency', 'diem', 'period', p_key.limit_period);
  elsif p_usd > 0 and spent.usd + held.usd + p_usd > p_key.limit_usd then
    return jsonb_build_object('reason', 'key-limit', 'currency', 'usd', 'period', p_key.limit_period);
  elsif p_x402 > 0 and spent.prepaid + held.prepaid + p_x402 > coalesce(p_key.limit_prepaid, 0) then
    return jsonb_build_object('reason', 'key-limit', 'currency', 'prepaid', 'period', p_key.limit_period);
  end if;
  return null;
end $$;

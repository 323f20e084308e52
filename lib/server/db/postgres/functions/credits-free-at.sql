-- Returns when at least p_credits have left the 24-hour window of the credit cap, in Unix milliseconds.
create or replace function turnpike_credits_free_at(p_account_id bigint, p_credits bigint, p_now bigint) returns bigint language sql stable as $$
  select coalesce(
    (select min(minute) + 1441 from (
       select minute, sum(credits) over (order by minute) as freed
         from credit_minutes where account_id = p_account_id and minute >= p_now / 60000 - 1440
     ) as minutes where freed >= p_credits) * 60000::bigint,
    p_now + 86400000)
$$;

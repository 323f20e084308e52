-- Returns the current period of a key's limit as key_spend names it: 'all', the month, or the UTC day (an epoch).
create or replace function turnpike_period(p_limit_period text, p_now bigint) returns text language sql immutable as $$
  select case p_limit_period
    when 'LIFETIME' then 'all'
    when 'MONTH' then to_char(to_timestamp(p_now / 1000) at time zone 'UTC', 'YYYY-MM')
    else to_char(to_timestamp(p_now / 1000) at time zone 'UTC', 'YYYY-MM-DD')
  end
$$;

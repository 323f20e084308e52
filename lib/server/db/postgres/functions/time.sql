-- Returns the database's time in Unix milliseconds, so that gateways with different clocks agree. Read it while holding
-- the caller's lock, so that the times of one caller's calls are in the order of admission.
create or replace function turnpike_now() returns bigint language sql volatile as
$$ select floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$;

-- Returns the epoch of a time: the number of UTC days since 1970, each 86,400,000 ms.
create or replace function turnpike_epoch(p_now bigint) returns integer language sql immutable as
$$ select (p_now / 86400000)::integer $$;

-- Returns whether the daily allocation of epoch p_epoch can be spent now. True also for the next epoch. Otherwise a
-- clock that steps back over midnight would withdraw an allocation that was just fixed.
create or replace function turnpike_is_current_epoch(p_epoch integer, p_now bigint) returns boolean language sql immutable as
$$ select p_epoch - turnpike_epoch(p_now) in (0, 1) $$;

-- Returns whether a caller's minute is still running. A clock that steps back by less than a minute does not end it; a
-- larger step does.
create or replace function turnpike_is_in_minute(p_started_at bigint, p_now bigint) returns boolean language sql immutable as
$$ select p_now < p_started_at + 60000 and p_now > p_started_at - 60000 $$;

-- Returns the current period of a key's limit, as key_spend names it: 'all', the month, or the UTC day (an epoch).
create or replace function turnpike_period(p_limit_period text, p_now bigint) returns text language sql immutable as $$
  select case p_limit_period
    when 'LIFETIME' then 'all'
    when 'MONTH' then to_char(to_timestamp(p_now / 1000) at time zone 'UTC', 'YYYY-MM')
    else to_char(to_timestamp(p_now / 1000) at time zone 'UTC', 'YYYY-MM-DD')
  end
$$;

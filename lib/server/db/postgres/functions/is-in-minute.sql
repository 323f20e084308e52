-- Returns whether a caller's minute is still running. A clock that steps back less than a minute stays in it; a larger
-- step starts a new minute.
create or replace function turnpike_is_in_minute(p_started_at bigint, p_now bigint) returns boolean language sql immutable as
$$ select p_now < p_started_at + 60000 and p_now > p_started_at - 60000 $$;

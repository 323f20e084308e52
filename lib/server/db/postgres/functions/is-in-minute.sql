-- Whether a caller's minute still runs. A clock that stepped back a little is in the same minute; one that was set back
-- starts another.
create or replace function turnpike_is_in_minute(p_started_at bigint, p_now bigint) returns boolean language sql immutable as
$$ select p_now < p_started_at + 60000 and p_now > p_started_at - 60000 $$;

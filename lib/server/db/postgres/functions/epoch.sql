-- The epoch of a time: days of UTC since 1970, each of 86,400,000 ms.
create or replace function turnpike_epoch(p_now bigint) returns integer language sql immutable as
$$ select (p_now / 86400000)::integer $$;

-- Returns the epoch of a time: the number of UTC days since 1970, each 86,400,000 ms.
create or replace function turnpike_epoch(p_now bigint) returns integer language sql immutable as
$$ select (p_now / 86400000)::integer $$;

-- The database's clock, in Unix milliseconds, so that gateways whose clocks differ agree. Read it after the caller's lock
-- is held: then calls of one caller see it in the order in which they are admitted.
create or replace function turnpike_now() returns bigint language sql volatile as
$$ select floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$;

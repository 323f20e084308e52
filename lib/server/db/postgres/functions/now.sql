-- Returns the database's time in Unix milliseconds, so that gateways with different clocks agree. Read it while holding
-- the caller's lock, so that the times of one caller's calls are in the order of admission.
create or replace function turnpike_now() returns bigint language sql volatile as
$$ select floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$;

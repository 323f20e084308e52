-- How much one call may cost that is made before it is admitted: a 64th of what can be reserved, as the gateway's own
-- ROOM_PART says. So many such calls at once still find the money there.
create or replace function turnpike_room(p_spendable bigint) returns bigint language sql immutable as
$$ select p_spendable / 64 $$;

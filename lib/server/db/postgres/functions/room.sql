-- Returns how much one call may cost if the gateway forwards it before admission: a 64th of what can be reserved, like
-- ROOM_PART in the gateway. 64 such calls in parallel can then still be charged.
create or replace function turnpike_room(p_spendable bigint) returns bigint language sql immutable as
$$ select p_spendable / 64 $$;

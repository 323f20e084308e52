-- Whether the daily pot of an epoch can be spent at this time: in that epoch. A clock that steps back over midnight does
-- not take away what was fixed a moment before.
create or replace function turnpike_is_current_epoch(p_epoch integer, p_now bigint) returns boolean language sql immutable as
$$ select p_epoch - turnpike_epoch(p_now) in (0, 1) $$;

-- Returns whether the daily pot of epoch p_epoch can be spent now. The next epoch counts too, so that a clock that
-- steps back over midnight does not withdraw an allocation that was just fixed.
create or replace function turnpike_is_current_epoch(p_epoch integer, p_now bigint) returns boolean language sql immutable as
$$ select p_epoch - turnpike_epoch(p_now) in (0, 1) $$;

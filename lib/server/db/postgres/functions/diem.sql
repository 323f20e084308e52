-- Returns the balance of the daily pot, without the carried part that calls of earlier epochs hold. 0 outside its
-- epoch.
create or replace function turnpike_diem(m meters, p_now bigint) returns bigint language sql immutable as
$$ select case when turnpike_is_current_epoch(m.diem_epoch, p_now) then m.diem - m.diem_carried else 0 end $$;

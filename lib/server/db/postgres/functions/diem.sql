-- What the daily pot has at this time, without what running calls of earlier epochs held of it: nothing outside its epoch.
create or replace function turnpike_diem(m meters, p_now bigint) returns bigint language sql immutable as
$$ select case when turnpike_is_current_epoch(m.diem_epoch, p_now) then m.diem - m.diem_carried else 0 end $$;

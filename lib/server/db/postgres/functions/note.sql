-- Extends a reservation by its lease and stores the call's checkpoint, which turnpike_expire charges if the lease ends.
-- Returns 'noted', or 'gone' if the reservation does not exist.
create or replace function turnpike_note(m meters, c turnpike_call, p_now bigint) returns text language plpgsql as $$
begin
  update reservations set expires_at = p_now + c.lease_ms, noted_amount = c.amount, noted_units = coalesce(c.units, 0), noted_resource = c.resource,
      noted_detail = c.detail, noted_request_id = c.request_id
    where account_id = m.account_id and id = c.reservation;
  return case when found then 'noted' else 'gone' end;
end $$;

-- Returns the meter with one more request in the caller's current minute, or with a new minute that starts now.
create or replace function turnpike_count_request(m meters, p_in_minute boolean, p_now bigint) returns meters language plpgsql as $$
begin
  if not p_in_minute then
    m.minute_started_at := p_now;
    m.minute_requests := 0;
  end if;
  m.minute_requests := m.minute_requests + 1;
  return m;
end $$;

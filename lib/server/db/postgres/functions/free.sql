-- Deletes a reservation, expired or not, and takes its holds off the meter. r is null if the reservation does not
-- exist.
create or replace function turnpike_free(inout m meters, p_reservation uuid, out r reservations) language plpgsql as $$
begin
  delete from reservations where account_id = m.account_id and id = p_reservation returning * into r;
  if not found then return; end if;
  -- A hold of an earlier epoch is not in held_diem. It stays in diem_carried, which no new call can spend.
  if r.diem_epoch = m.diem_epoch then m.held_diem := m.held_diem - r.diem; end if;
  m.held_bundled := m.held_bundled - r.bundled;
  m.held_usd := m.held_usd - r.usd;
  m.held_x402 := m.held_x402 - r.x402;
  m.held_credits := m.held_credits - r.credits;
end $$;

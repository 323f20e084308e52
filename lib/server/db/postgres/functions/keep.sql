-- Writes a locked meter back to its table, once for all calls of its caller.
create or replace function turnpike_keep(m meters) returns void language plpgsql as $$
begin
  update meters set
    diem = m.diem, bundled = m.bundled, usd = m.usd, x402 = m.x402,
    minute_started_at = m.minute_started_at, minute_requests = m.minute_requests,
    held_diem = m.held_diem, held_bundled = m.held_bundled, held_usd = m.held_usd, held_x402 = m.held_x402,
    held_credits = m.held_credits, credits_minute = m.credits_minute, credits_total = m.credits_total,
    spent_minute = m.spent_minute, spent_credits = m.spent_credits,
    lease_due_at = m.lease_due_at, diem_epoch = m.diem_epoch, diem_carried = m.diem_carried
  where account_id = m.account_id;
end $$;

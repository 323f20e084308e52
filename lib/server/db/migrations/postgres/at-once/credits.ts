/**
 * The credits of the minute that runs, in the caller's row, which a charge writes anyway: they go to credit_minutes
 * when the next minute begins, or when somebody is about to read there.
 */
export const CREDITS = [
  'alter table meters add spent_minute integer not null default 0, add spent_credits bigint not null default 0',

  `create function turnpike_flush_credits(inout m meters) language plpgsql as $$
   begin
     insert into credit_minutes (account_id, minute, credits) values (m.account_id, m.spent_minute, m.spent_credits)
       on conflict (account_id, minute) do update set credits = credit_minutes.credits + excluded.credits;
     m.spent_credits := 0;
   end $$`,

  // As before, with those credits.
  `create or replace function turnpike_keep(m meters) returns void language plpgsql as $$
   begin
     update meters set
       diem = m.diem, bundled = m.bundled, usd = m.usd, x402 = m.x402,
       minute_started_at = m.minute_started_at, minute_requests = m.minute_requests,
       held_diem = m.held_diem, held_bundled = m.held_bundled, held_usd = m.held_usd, held_x402 = m.held_x402,
       held_credits = m.held_credits, credits_minute = m.credits_minute, credits_total = m.credits_total,
       spent_minute = m.spent_minute, spent_credits = m.spent_credits,
       lease_due_at = m.lease_due_at, diem_epoch = m.diem_epoch, diem_carried = m.diem_carried
     where account_id = m.account_id;
   end $$`,
];

-- Moves the credits of the minute in the caller's row to credit_minutes. A charge writes that row anyway, so they gather
-- there until the next minute begins, or until somebody is about to read credit_minutes.
create or replace function turnpike_flush_credits(inout m meters) language plpgsql as $$
begin
  insert into credit_minutes (account_id, minute, credits) values (m.account_id, m.spent_minute, m.spent_credits)
    on conflict (account_id, minute) do update set credits = credit_minutes.credits + excluded.credits;
  m.spent_credits := 0;
end $$;

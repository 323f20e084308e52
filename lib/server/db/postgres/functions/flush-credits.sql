-- Moves the current minute's credits from the caller's row to credit_minutes. They accumulate in the row because a
-- charge writes it anyway. They move when the next minute begins or before credit_minutes is read.
create or replace function turnpike_flush_credits(inout m meters) language plpgsql as $$
begin
  insert into credit_minutes (account_id, minute, credits) values (m.account_id, m.spent_minute, m.spent_credits)
    on conflict (account_id, minute) do update set credits = credit_minutes.credits + excluded.credits;
  m.spent_credits := 0;
end $$;

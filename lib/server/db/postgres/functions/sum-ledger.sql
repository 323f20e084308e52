-- Trigger: updates charge_days and ledger_days after each insert into the ledger, once per statement. Ignores the daily
-- rows of archives, whose charges are already in the sums. Two of these updates cannot deadlock: every writer of an
-- account's charges holds the lock of the account's meter, and each connection has its own rows in ledger_days.
-- calls: 1 in the first row of a call, 0 in the rows of its other balances. Each of these rows has the call's units.
create or replace function turnpike_sum_ledger() returns trigger language plpgsql as $$
begin
  insert into charge_days as d (day, account_id, api_key_id, resource, calls, units, diem, bundled, usd, x402, last_at)
    select turnpike_epoch(created_at), account_id, coalesce(api_key_id, 0), coalesce((select n.resource from ledger_names n where n.id = made.name_id), resource), sum(calls), sum(calls * units),
           coalesce(-sum(amount) filter (where pot_number = 0), 0), coalesce(-sum(amount) filter (where pot_number = 1), 0),
           coalesce(-sum(amount) filter (where pot_number = 2), 0), coalesce(-sum(amount) filter (where pot_number = 3), 0), max(created_at)
      from made where kind = 'CHARGE' and archive_id = 0 group by 1, 2, 3, 4
    on conflict (day, account_id, api_key_id, resource) do update
      set calls = d.calls + excluded.calls, units = d.units + excluded.units, diem = d.diem + excluded.diem, bundled = d.bundled + excluded.bundled,
          usd = d.usd + excluded.usd, x402 = d.x402 + excluded.x402, last_at = greatest(d.last_at, excluded.last_at);
  insert into ledger_days as d (day, writer, calls, charged, paid_in, withdrawn)
    select turnpike_epoch(created_at), pg_backend_pid(),
           coalesce(sum(calls) filter (where kind = 'CHARGE'), 0), coalesce(-sum(amount) filter (where kind = 'CHARGE'), 0),
           coalesce(sum(amount) filter (where kind = 'TOP_UP'), 0), coalesce(-sum(amount) filter (where kind in ('WITHDRAWAL', 'REVERSAL')), 0)
      from made where kind in ('CHARGE', 'TOP_UP', 'WITHDRAWAL', 'REVERSAL') and archive_id = 0 group by 1
    on conflict (day, writer) do update
      set calls = d.calls + excluded.calls, charged = d.charged + excluded.charged,
          paid_in = d.paid_in + excluded.paid_in, withdrawn = d.withdrawn + excluded.withdrawn;
  return null;
end $$;

create or replace trigger ledger_summed after insert on ledger_rows
  referencing new table as made for each statement execute function turnpike_sum_ledger();

-- Trigger: ledger rows cannot be deleted, except archived charges. The transaction that replaces them with daily rows
-- writes the archive's end to ledger_archiving, and may delete only charges older than that.
create or replace function turnpike_refuse_ledger_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_archiving)
     or exists (select from gone where kind <> 'CHARGE' or created_at >= (select max(before_at) from ledger_archiving)) then
    raise exception 'the ledger is append-only';
  end if;
  return null;
end $$;

create or replace trigger ledger_refuses_delete after delete on ledger
  referencing old table as gone for each statement execute function turnpike_refuse_ledger_delete();

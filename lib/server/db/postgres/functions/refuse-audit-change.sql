-- Triggers: the audit log of operators' commands is append-only.
create or replace function turnpike_refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;

create or replace trigger audit_refuses_change before update or delete or truncate on audit_log
  for each statement execute function turnpike_refuse_audit_change();

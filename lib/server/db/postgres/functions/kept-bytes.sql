-- Returns how many bytes an answer uses of its caller's budget for kept answers. Answers of up to 1 KiB use none; only
-- their number is limited. They take little more space than the record of an answer that was not kept.
create or replace function turnpike_kept_bytes(p_body bytea) returns bigint language sql immutable as
$$ select case when octet_length(p_body) > 1024 then octet_length(p_body) else 0 end::bigint $$;

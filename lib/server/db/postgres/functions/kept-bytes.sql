-- What an answer counts of its caller's bytes. Answers of up to 1 KiB are as cheap as the note that stands for one that was
-- not kept, and count by number only.
create or replace function turnpike_kept_bytes(p_body bytea) returns bigint language sql immutable as
$$ select case when octet_length(p_body) > 1024 then octet_length(p_body) else 0 end::bigint $$;

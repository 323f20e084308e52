-- What a purse has at this time, what is reserved of it included. 'x402' is a purse of its own; the other is the account's
-- daily pot, bundled credits and USD together.
create or replace function turnpike_purse(m meters, p_purse text, p_now bigint) returns bigint language sql immutable as
$$ select case when p_purse = 'x402' then m.x402 else turnpike_diem(m, p_now) + m.bundled + m.usd end $$;

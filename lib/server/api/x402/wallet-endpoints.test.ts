import { expect, it } from 'vitest';
import { nodeListener } from '../../http/node-adapter';
import { serve, testGateway } from '@/test/test-gateway';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

it.each(['balance', 'transactions'])('GET /x402/%s says once, to whoever sends a key or nothing, that only a sign-in does', async (path) => {
  const { origin } = await serve(nodeListener(await testGateway()));
  for (const headers of [{}, { authorization: 'Bearer tpk_some_key' }]) {
    const response = await fetch(`${origin}/api/v1/x402/${path}/${WALLET}`, { headers });
    const hint = 'Send the sign-in of the wallet in the path; API keys are not accepted here.';
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Turnpike"']);
    expect(await response.json()).toMatchObject({ code: 'UNAUTHORIZED', hint, error: `A wallet has to sign in here: the SIGN-IN-WITH-X header is missing. ${hint}` });
  }
});

it.each(['', '?x402Version=1'])('POST /x402/top-up%s without a payment says how to authenticate, as every 402 does', async (query) => {
  const { origin } = await serve(nodeListener(await testGateway()));
  const response = await fetch(`${origin}/api/v1/x402/top-up${query}`, { method: 'POST' });
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([402, 'Bearer realm="Turnpike"']);
  expect(response.headers.get('payment-required')).not.toBeNull();
});

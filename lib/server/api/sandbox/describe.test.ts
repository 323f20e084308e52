import { expect, it } from 'vitest';
import { nodeListener } from '../../http/node-adapter';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { serve, testGateway } from '@/test/test-gateway';
import { sandboxDescription } from './describe';
import { SandboxAccess } from './sandbox-access';

it('the description has the demo key, and is never compressed with it', async () => {
  const evm = Array.from({ length: 20 }, (_none, i) => ({
    network: `network-${i}`,
    chainId: i,
    contracts: { staking: `0x${'0'.repeat(40)}` },
  }));
  const standIns = await serve((_request, response) => void response.end(JSON.stringify({ evm, solana: [] })));
  const endpoint = sandboxDescription({
    sandbox: new SandboxAccess(standIns.origin, 'tpk_demo'),
    origin: 'http://localhost',
    publicUrls: [],
    attestationRoots: DEFAULT_POLICY.roots,
  });
  const { origin } = await serve(nodeListener(await testGateway({}, [endpoint])));
  const answer = await fetch(`${origin}/api/sandbox`, { headers: { 'accept-encoding': 'gzip, br, zstd' } });
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null]);
  const text = await answer.text();
  expect(text.length).toBeGreaterThan(1_024);
  expect(JSON.parse(text)).toMatchObject({ profile: 'sandbox', demoKey: 'tpk_demo' });
});

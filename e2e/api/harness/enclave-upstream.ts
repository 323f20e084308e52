import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SimulatedEnclave } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';
import { Guide } from '@/lib/sandbox/guide/guide';
import { InferenceServer } from '@/lib/sandbox/inference/inference-server';
import { type GatewayUnderTest, startGateway } from './gateway-under-test';

/** Texts from which the enclave's model answers. */
const SECTIONS = [
  {
    document: 'docs/staking.md',
    heading: 'Staking',
    text: 'Stake TPK to be given a daily allocation. Unstaking takes seven days.',
  },
  {
    document: 'docs/top-up.md',
    heading: 'Top-ups',
    text: 'A top-up is paid in USDC on Base or Solana, five dollars or more.',
  },
];

/** Gateway with its own simulated enclave, and the requests that reached the enclave. */
export interface EnclaveGateway {
  gateway: GatewayUnderTest;
  enclave: SimulatedEnclave;
  models: InferenceServer;
  /** Root certificate for verifiers: DER in base64. */
  simulatedRoot: string;
  /** Requests as `METHOD path`. Paths omit `/v1`. */
  asked: string[];
  /** Returns how many answers were cut off because the gateway disconnected. */
  left(): number;
  stop(): Promise<void>;
}

/** Starts the enclave and a gateway of the live profile that is configured for it. */
export async function startEnclaveGateway(): Promise<EnclaveGateway> {
  const enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name": "guide"}');
  const models = new InferenceServer({ guide: new Guide(SECTIONS), enclave, eventDelayMs: 5 });
  const asked: string[] = [];
  let left = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').replace(/^\/v1/, '').split('?')[0] ?? '';
    asked.push(`${request.method} ${path}`);
    response.once('close', () => (left += response.writableFinished ? 0 : 1));
    models.handle(request, response, path).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const simulatedRoot = Buffer.from(enclave.root).toString('base64');
  const inference = {
    enclaveUpstreams: [{ name: 'enclave', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }],
    models: { 'e2ee-guide': { capabilities: { supportsE2EE: true } } },
    attestation: { roots: [{ certificate: simulatedRoot, simulated: true }] },
  };
  const gateway = await startGateway({ profile: 'live', config: { inference } }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const stop = async () => {
    await gateway.stop();
    await close();
  };
  return { gateway, enclave, models, simulatedRoot, asked, left: () => left, stop };
}

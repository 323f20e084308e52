import { afterAll, afterEach, vi } from 'vitest';
import { attestationPolicy, type PrivateChatOptions, PrivateChatSession } from '@/lib/client/private-chat';
import { startTestGateway, type TestGateway } from './test-gateway';

/** Cryptography in plain JavaScript takes its time on a machine that is busy with others. */
const TIMEOUT_MS = 60_000;

/** A gateway for the tests of a file: as it was before each of them, and closed after the last. */
export async function gatewayOfTests(): Promise<TestGateway> {
  vi.setConfig({ testTimeout: TIMEOUT_MS });
  const gateway = await startTestGateway();
  afterEach(() => gateway.reset());
  afterAll(() => gateway.close());
  return gateway;
}

/** Makes encrypted chats with a model of it, which take the simulated root for good; a test changes what it is about. */
export function sessionsWith(
  gateway: TestGateway,
  model: string,
): (change?: Partial<PrivateChatOptions>) => PrivateChatSession {
  return (change = {}) => {
    const policy = attestationPolicy({ simulatedRoot: gateway.simulatedRoot });
    return new PrivateChatSession({
      connection: { baseUrl: gateway.url, apiKey: 'key' },
      model,
      encrypted: true,
      policy,
      accepted: ['simulated'],
      signatureRetryDelaysMs: [1, 1],
      ...change,
    });
  };
}

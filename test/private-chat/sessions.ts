import { afterAll, afterEach, vi } from 'vitest';
import { attestationPolicy, type PrivateChatOptions, PrivateChatSession } from '@/lib/client/private-chat';
import { startEnclaveGateway, type EnclaveGateway } from './enclave-gateway';

/** Cryptography in plain JavaScript is slow on a busy machine. */
const TIMEOUT_MS = 60_000;

/** Starts a gateway for the tests of a file. Resets it after each test and closes it after the last. */
export async function gatewayOfTests(): Promise<EnclaveGateway> {
  vi.setConfig({ testTimeout: TIMEOUT_MS });
  const gateway = await startEnclaveGateway();
  afterEach(() => gateway.reset());
  afterAll(() => gateway.close());
  return gateway;
}

/**
 * Returns a function that creates encrypted chats with a model of the gateway. The chats accept the simulated root. A
 * test may override other options.
 */
export function sessionsWith(
  gateway: EnclaveGateway,
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

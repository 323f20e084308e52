import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BundledProgram } from './bundled-program';

/** The sandbox in its own process, as a gateway runs it. */
export interface SandboxProcess {
  /** Returns the JSON-RPC URL of a simulated EVM chain, which allows all anvil methods. */
  evmUrl(network: string): string;
  /** Calls a simulated EVM chain. */
  rpc(network: string, method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Funds an address with coins and tokens. */
  fund(address: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the sandbox with its own data folder. The caller must stop it. */
export async function startSandboxProcess(): Promise<SandboxProcess> {
  const program = await BundledProgram.make({ file: 'lib/sandbox/process.ts' });
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const child = program.start([], { SANDBOX_PORT: '0', SANDBOX_DATA_DIR: dataDir });
  child.stderr?.resume();
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const post = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok || json.error) throw new Error(`The stand-ins answered ${path} with ${JSON.stringify(json)}`);
    return json;
  };
  return {
    evmUrl: (network) => `${url}/evm/${network}`,
    rpc: async (network, method, params = []) =>
      (await post(`/evm/${network}`, { jsonrpc: '2.0', id: 1, method, params })).result,
    fund: async (address) => void (await post('/faucet', { address })),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      program.remove();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

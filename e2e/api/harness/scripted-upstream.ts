import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { modelListener, says, type ScriptedModel } from '@/test/scripted-model';

/** Model server for a whole test file, on a free loopback port. Each test sets its script. */
export interface ScriptedUpstream extends ScriptedModel {
  close(): void;
}

export async function startScriptedUpstream(
  models: unknown[] = [{ id: 'plain', object: 'model', created: 1, owned_by: 'test', context_length: 4_096 }],
): Promise<ScriptedUpstream> {
  const upstream: ScriptedUpstream = { url: '', asked: [], models, script: says('Hello.'), close: () => undefined };
  const server = createServer(modelListener(upstream));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  upstream.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  upstream.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return upstream;
}

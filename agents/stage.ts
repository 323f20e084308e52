import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '@/attack/stage/gateway-process';
import { runCommandLine } from '@/packages/turnpike-client/command/run';
import { MODEL, type ModelServer, startModelServer } from './model-server';
import { type Outside, refuseOutside } from './outside';
import { type Recorder, startRecorder } from './recorder';

/** Routes on which programs send their requests. */
export const ROUTES = ['gateway', 'proxy'] as const;
export type Route = (typeof ROUTES)[number];

/** Gateway over the scripted model, the client's proxy in front of the gateway, and a recorder in front of each. */
export interface Stage {
  model: ModelServer;
  recorder: Recorder;
  outside: Outside;
  /** Base URLs, key and model name for programs. The model is null for the proxy, which answers any model name. */
  endpoint(route: Route): { openaiUrl: string; anthropicUrl: string; key: string; model: string | null };
  folder: string;
  stop(): Promise<void>;
}

const PROXY_TIMEOUT_MS = 30_000;

export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-agents-'));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const model = await startModelServer();
    ends.push(() => model.close());
    const capabilities = { supportsFunctionCalling: true, supportsResponseSchema: true };
    const gateway = await startGateway({
      folder: join(folder, 'gateway'),
      profile: 'live',
      config: {
        inference: { chatUpstreams: [{ name: 'scripted', url: model.url }], models: { [MODEL]: { capabilities } } },
        drain: { delaySeconds: 0 },
      },
      env: { TURNPIKE_SECRET: 'programs are run on the loopback alone' },
    });
    ends.push(() => gateway.stop());
    const [key = ''] = gateway.keys;
    const proxy = await startProxy(gateway.url, key);
    ends.push(() => proxy.stop());
    const [recorder, outside] = [await startRecorder(), await refuseOutside()];
    ends.push(
      () => recorder.close(),
      () => outside.close(),
    );
    const endpoint: Stage['endpoint'] = (route) => {
      recorder.target = route === 'gateway' ? gateway.url : proxy.url;
      const base = route === 'gateway' ? `${recorder.url}/api` : recorder.url;
      return {
        openaiUrl: `${base}/v1`,
        anthropicUrl: base,
        key: route === 'gateway' ? key : proxy.token,
        model: route === 'gateway' ? MODEL : null,
      };
    };
    return { model, recorder, outside, endpoint, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts `turnpike-client proxy` in this process. */
async function startProxy(url: string, key: string): Promise<{ url: string; token: string; stop(): Promise<unknown> }> {
  const abort = new AbortController();
  let told = '';
  return new Promise((resolve, reject) => {
    const stop = (): Promise<unknown> => {
      abort.abort();
      return ended;
    };
    const ended = runCommandLine(['proxy', '--port', '0', '--json', '--privacy', 'plain', '--model', MODEL], {
      env: { TURNPIKE_URL: url, TURNPIKE_API_KEY: key },
      signal: abort.signal,
      out: (text) => resolve({ ...(JSON.parse(text) as { url: string; token: string }), stop }),
      err: (text) => void (told += text),
      write: () => undefined,
      askSecret: null,
      readInput: () => Promise.resolve(''),
      readLines: async function* () {},
    });
    // After the proxy has begun to listen, this rejection and the timeout have no effect.
    void ended.then(() => reject(new Error(`The proxy ended: ${told}`)));
    setTimeout(() => reject(new Error('The proxy did not start in time.')), PROXY_TIMEOUT_MS).unref();
  });
}

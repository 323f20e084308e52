import { setTimeout as sleep } from 'node:timers/promises';
import type { GrownRow, Track } from './grown-row';
import { startNodes, startWithNetworks } from './grown-networks';
import { medianOf } from './measurement';

const MODELS = 500;
/** An address may read the state of networks only some times a minute. */
const READS = 25;
const SETTLE_MS = 30_000;

/** Measures the time of answers that list networks or models, and that grow with the configuration. */
export async function measureLists(track: Track, progress: (text: string) => void): Promise<GrownRow[]> {
  progress('lists of networks and models');
  const models = Array.from({ length: MODELS }, (_none, index) => ({
    id: `bench/model-${index}`,
    object: 'model',
    created: 1_700_000_000,
    owned_by: 'bench',
    context_length: 32_768,
  }));
  const nodes = track(await startNodes(models));
  const upstream = { name: 'bench', url: `http://127.0.0.1:${nodes.port}/v1` };
  const { port } = track(await startWithNetworks(nodes.port, { inference: { chatUpstreams: [upstream] } }));
  await sleep(SETTLE_MS);
  const rows: GrownRow[] = [];
  for (const [path, before] of [
    ['/api/network-health', '11.5 ms, 467 KB'],
    ['/api/v1/models', '8 ms'],
  ] as const)
    rows.push({
      name: `GET ${path} with ${MODELS} models`,
      measured: await readsOf(`http://127.0.0.1:${port}${path}`),
      before,
    });
  return rows;
}

async function readsOf(url: string): Promise<string> {
  const plain = { 'accept-encoding': 'identity' };
  const whole = await times(url, plain);
  const known = await times(url, { ...plain, 'if-none-match': whole.etag });
  return `${whole.ms.toFixed(1)} ms, ${Math.round(whole.bytes / 1_000)} KB; with its ETag ${known.status}, ${known.ms.toFixed(1)} ms, ${known.bytes} bytes`;
}

async function times(
  url: string,
  headers: Record<string, string>,
): Promise<{ ms: number; bytes: number; status: number; etag: string }> {
  const tookMs: number[] = [];
  for (let read = 1; ; read++) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers });
    const { byteLength: bytes } = await response.arrayBuffer();
    tookMs.push(performance.now() - startedAt);
    if (response.status >= 400) throw new Error(`${url} answered with status ${response.status}.`);
    if (read === READS)
      return { ms: medianOf(tookMs), bytes, status: response.status, etag: response.headers.get('etag') ?? '' };
  }
}

import { answerBoundOf } from '@/lib/client/bounded-answer';
import { judge, type Verdict } from '../attack';
import type { ClientBench, Surface } from './client-bench';
import { LARGE_FORMS, type LargeForm } from './lies';

const MIB = 1_048_576;
/**
 * Bytes of memory that a client may use per byte of its body limit. This memory holds text, parsed values, and garbage
 * not yet collected.
 */
const PER_BYTE = 7;
const BESIDE_MIB = 150;
const TIMEOUT_MS = 90_000;

/** Calls of each surface, with the endpoint whose answer does not end. */
const CASES: readonly {
  surface: Exclude<Surface, 'library'>;
  call: string;
  endpoint: string;
  path: string;
  status?: number;
}[] = [
  { surface: 'command', call: 'balance', endpoint: 'balance', path: '/api/v1/billing/balance' },
  { surface: 'command', call: 'usage', endpoint: 'charges', path: '/api/v1/billing/usage' },
  { surface: 'command', call: 'keys', endpoint: 'keys', path: '/api/v1/api_keys' },
  { surface: 'command', call: 'rpc', endpoint: 'rpc', path: '/api/v1/crypto/rpc/base-mainnet' },
  { surface: 'command', call: 'rpc', endpoint: 'rpc', path: '/refusal', status: 402 },
  { surface: 'command', call: 'top-up', endpoint: 'top-up', path: '/api/v1/x402/top-up', status: 402 },
  { surface: 'command', call: 'verify', endpoint: 'attestation', path: '/api/v1/tee/attestation' },
  { surface: 'command', call: 'chat', endpoint: 'chat', path: '/api/v1/chat/completions' },
  { surface: 'command', call: 'chat', endpoint: 'signature', path: '/api/v1/tee/signature' },
  { surface: 'proxy', call: 'models', endpoint: 'models', path: '/api/v1/models' },
  { surface: 'proxy', call: 'rpc', endpoint: 'rpc', path: '/refusal', status: 429 },
  { surface: 'proxy', call: 'chat-streamed-attested', endpoint: 'chat', path: '/api/v1/chat/completions' },
  { surface: 'proxy', call: 'messages-attested', endpoint: 'chat', path: '/api/v1/chat/completions' },
  { surface: 'mcp', call: 'networks', endpoint: 'networks', path: '/api/v1/crypto/rpc/networks' },
  { surface: 'mcp', call: 'call-chain', endpoint: 'rpc', path: '/api/v1/crypto/rpc/base-mainnet' },
  { surface: 'mcp', call: 'prices', endpoint: 'settings', path: '/api/settings' },
];

/** Sends endless bodies one after another. The client must abort each, stay within its memory limit and survive. */
export async function tellsWithoutEnd(bench: ClientBench): Promise<Verdict> {
  const cases = CASES.flatMap((each) => LARGE_FORMS.map((form) => ({ ...each, form })));
  let [worst, worstCase] = [0, ''];
  for (const { surface, call, endpoint, path, status, form } of cases) {
    const what = `${surface} ${call}: ${endpoint} of ${form}`;
    const run = await bench.caller(surface);
    const client = await bench.client();
    const idleBytes = client.idleBytes();
    const { faults, ending } = await Promise.race([run({ call, lies: { [endpoint]: lieOf(form, status) } }), late()]);
    if (faults.length > 0) return judge(false, `${what}: ${faults[0]}`);
    if (client.fault !== null) return judge(false, `${what}: ${client.fault}`);
    const growthMib = (client.peakBytes() - idleBytes) / MIB;
    const allowedMib = BESIDE_MIB + (PER_BYTE * answerBoundOf(path).bytesMax) / MIB;
    if (growthMib > allowedMib)
      return judge(false, `${what}: ${growthMib.toFixed(0)} MiB above idle, of ${allowedMib.toFixed(0)} (${ending})`);
    if (growthMib > worst) [worst, worstCase] = [growthMib, what];
  }
  return judge(
    true,
    `${cases.length} bodies without an end, the worst ${worst.toFixed(0)} MiB above idle (${worstCase})`,
  );
}

function lieOf(form: LargeForm, status: number | undefined) {
  return [{ kind: 'large' as const, form }, ...(status === undefined ? [] : [{ kind: 'status' as const, status }])];
}

function late(): Promise<{ faults: string[]; ending: string }> {
  return new Promise((resolve) =>
    setTimeout(
      () => resolve({ faults: [`it had not ended after ${TIMEOUT_MS / 1_000} s`], ending: 'late' }),
      TIMEOUT_MS,
    ).unref(),
  );
}

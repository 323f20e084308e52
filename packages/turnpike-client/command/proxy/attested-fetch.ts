import { type Attestation, attestationPolicy, attestationRefusal, attestModel } from '@/lib/client/private-chat';
import type { PrivateFetchOptions } from '../../src/private-fetch';
import { refusalResponse, sdkFetch } from '../../src/sdk-fetch';
import { SharedWork } from '../../src/shared-work';
import type { Turnpike } from '../../src/turnpike';
import { TurnpikeError } from '../../src/turnpike-error';

const ATTESTATION_AGE_MAX_MS = 3_600_000;
/** Nobody calls more models. */
const MODELS_MAX = 100;

/**
 * A fetch for chats that cannot be encrypted, such as those with tools: the enclave of the model is verified here
 * before anything is sent to it, and again every hour. The gateway in between can read what is sent.
 */
export function attestedFetch(customer: Turnpike, { accepted = ['verified'], onAttestation, ...additions }: PrivateFetchOptions): typeof fetch {
  const policy = attestationPolicy(additions);
  const held = new Map<string, Attestation>();
  const running = new Map<string, SharedWork<void>>();
  const send = sdkFetch(customer.fetch);

  const attest = async (model: string): Promise<void> => {
    const attestation = await attestModel({ connection: customer.connection, model, policy, needsPublicKey: false });
    const refusal = attestationRefusal(attestation, accepted);
    if (refusal) throw new TurnpikeError(refusal.code, { message: [refusal.message, refusal.detail].filter(Boolean).join(' '), remedy: refusal.hint, cause: refusal });
    if (held.size >= MODELS_MAX) held.clear();
    held.set(model, attestation);
    onAttestation?.(attestation);
  };

  return async (input, init) => {
    try {
      const model = modelOf(init?.body);
      const before = held.get(model);
      if (before === undefined || Date.now() - before.verdict.checkedAtMs > ATTESTATION_AGE_MAX_MS) {
        held.delete(model);
        const work = running.get(model) ?? new SharedWork<void>();
        running.set(model, work);
        await work.join(() => attest(model), init?.signal ?? null).finally(() => running.delete(model));
      }
    } catch (error) {
      init?.signal?.throwIfAborted();
      if (error instanceof TurnpikeError) return refusalResponse(error);
      throw error;
    }
    return send(input, init);
  };
}

function modelOf(body: unknown): string {
  try {
    const { model } = JSON.parse(String(body)) as { model?: unknown };
    if (typeof model === 'string' && model !== '') return model;
  } catch {
    // Said below.
  }
  throw new TurnpikeError('OPTION_INVALID', { message: 'The body names no model.', status: 400 });
}

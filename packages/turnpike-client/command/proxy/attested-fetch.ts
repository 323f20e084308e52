import { parsedRecord } from '@/lib/protocol/json-record';
import {
  type Attestation,
  attestationPolicy,
  attestationRefusal,
  attestModel,
  PrivateChatError,
} from '@/lib/client/private-chat';
import type { PrivateFetchOptions } from '../../src/private-fetch';
import { sdkFetch } from '../../src/sdk-fetch';
import { SharedWork } from '../../src/shared-work';
import type { Turnpike } from '../../src/turnpike';
import { TurnpikeError } from '../../src/turnpike-error';
import { tell } from '../../src/turnpike-event';
import { signedAnswer } from './signed-answer';

const ATTESTATION_AGE_MAX_MS = 3_600_000;
const MODELS_MAX = 100;

/**
 * Fetch for chats that cannot be encrypted, such as those with tools. Verifies the model's enclave before sending and
 * again every hour, and checks every answer's signature. The gateway can read the messages but cannot change them
 * unnoticed.
 * @throws {PrivateChatError} if the enclave or a signature is invalid; ANSWERS_NOT_SIGNED before sending if the enclave
 * attested no signing key
 */
export function attestedFetch(
  customer: Turnpike,
  { accepted = ['verified'], onAttestation, onSignature, ...additions }: PrivateFetchOptions,
): typeof fetch {
  const policy = attestationPolicy(additions);
  const held = new Map<string, Attestation>();
  const running = new Map<string, SharedWork<Attestation>>();
  const send = sdkFetch(customer.fetch);
  const { connection } = customer;

  const attest = async (model: string): Promise<Attestation> => {
    const attestation = await attestModel({ connection, model, policy, needsPublicKey: false });
    const refusal = attestationRefusal(attestation, accepted);
    if (refusal) throw refusal;
    // Without a signing key no answer can be verified, so the call fails before payment.
    if (attestation.verdict.key === null) throw new PrivateChatError('ANSWERS_NOT_SIGNED', null, attestation);
    if (held.size >= MODELS_MAX) held.clear();
    held.set(model, attestation);
    tell(onAttestation, attestation);
    return attestation;
  };

  const attested = async (model: string, signal: AbortSignal | null): Promise<Attestation> => {
    const before = held.get(model);
    if (before !== undefined && Date.now() - before.verdict.checkedAtMs < ATTESTATION_AGE_MAX_MS) return before;
    const work = running.get(model) ?? new SharedWork<Attestation>();
    running.set(model, work);
    return work.join(() => attest(model), signal).finally(() => running.delete(model));
  };

  return async (input, init) => {
    const bodyText = String(init?.body);
    const [model, signal] = [modelOf(bodyText), init?.signal ?? null];
    const { verdict } = await attested(model, signal);
    const heard = (check: Parameters<NonNullable<typeof onSignature>>[0]): void => {
      // If the attested key did not sign the answer, the next chat attests again.
      if (check.outcome !== 'verified') held.delete(model);
      tell(onSignature, check);
    };
    return signedAnswer(await send(input, init), {
      connection,
      model,
      bodyText,
      attestedAddress: verdict.key?.address ?? '',
      signal,
      onSignature: heard,
    });
  };
}

function modelOf(bodyText: string): string {
  const { model } = parsedRecord(bodyText) ?? {};
  if (typeof model === 'string' && model !== '') return model;
  throw new TurnpikeError('OPTION_INVALID', {
    message: 'The body contains no model.',
    status: 400,
    remedy: 'Set "model" to the id of a model: GET /v1/models lists them.',
  });
}

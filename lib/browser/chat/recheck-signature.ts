'use client';

import { checkSignature, PrivateChatError, PrivateChatSession, type SignatureCheck } from '@/lib/client/private-chat';
import { chatWords } from '../words/chat';
import { acceptedFor, type EnclaveModel, policyOf } from './check-lock';
import type { Answer, SignatureClaim } from './conversation';
import { lateSignatureOf } from './signature-of';
import { raiseAlarm } from './tamper-alarms';

/**
 * Asks again for the signature over an answer that was given earlier. As with any answer, one that does not hold
 * raises the warning.
 * @throws {GatewayError | UnreachableError} where it cannot be told now: what is kept stays as it is
 */
export async function recheckSignature(model: EnclaveModel, claim: SignatureClaim): Promise<Answer['signature']> {
  const check = await checked(model, claim);
  if (check.outcome === 'invalid') {
    raiseAlarm({
      modelId: model.modelId,
      atMs: Date.now(),
      sentence: chatWords.ending.signatureFails,
      detail: check.reason,
      hint: chatWords.ending.doNotRely,
      nothingSent: false,
    });
  }
  return lateSignatureOf(check, claim.completionId);
}

async function checked(model: EnclaveModel, claim: SignatureClaim): Promise<SignatureCheck> {
  const check = await checkUnder(claim.attestedAddress, model, claim);
  const { outcome, signer } = check;
  // What is encrypted can be answered by nobody but who holds the attested key.
  if (outcome !== 'invalid' || model.isEncryptable || signer === null || signer === claim.attestedAddress) return check;
  if ((await addressNow(model)) !== signer) return check;
  const after = await checkUnder(signer, model, claim);
  if (after.outcome !== 'verified') return check;
  return {
    ...after,
    outcome: 'attested-after',
    reason: chatWords.ending.otherKey(signer, claim.attestedAddress),
    attestedAddress: claim.attestedAddress,
  };
}

function checkUnder(
  attestedAddress: string,
  { modelId, connection }: EnclaveModel,
  { completionId, requestHash, responseHash }: SignatureClaim,
): Promise<SignatureCheck> {
  return checkSignature({
    connection,
    model: modelId,
    answer: { completionId, sent: { hash: requestHash }, received: { hash: responseHash } },
    attestedAddress,
  });
}

/** The address that the enclave proves now; null where it proves none that is accepted. */
async function addressNow(model: EnclaveModel): Promise<string | null> {
  const { modelId, connection } = model;
  const session = new PrivateChatSession({
    connection,
    model: modelId,
    encrypted: false,
    policy: policyOf(model),
    accepted: acceptedFor(modelId),
  });
  try {
    return (await session.reattest()).verdict.key?.address ?? null;
  } catch (error) {
    if (error instanceof PrivateChatError) return null;
    throw error;
  }
}

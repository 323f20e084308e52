'use client';

import { checkSignature, PrivateChatError, PrivateChatSession, type SignatureCheck } from '@/lib/client/private-chat';
import { chatWords } from './words';
import { acceptedFor, type EnclaveModel, policyOf } from './privacy/check-privacy';
import type { Answer, SignatureClaim } from './conversation';
import { lateSignatureOf } from './signature-of';
import { raiseAlarm } from './privacy/tamper-alarms';

/**
 * Fetches and checks the signature of an earlier answer again. An invalid signature raises the tampering warning.
 * @throws {GatewayError | UnreachableError} if the check is impossible now; the stored result stays
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
  // Only the holder of the attested key can answer an encrypted request, so a signature by another key stays invalid.
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

/** Returns the address that the enclave attests now; null if this browser does not accept the verdict. */
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

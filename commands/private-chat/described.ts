import type { Attestation, ChatAnswer, PrivateChatError, SignatureCheck } from '@/lib/client/private-chat';
import { bytesToHex } from '@noble/hashes/utils.js';
import { measurementFacts } from '../verify-attestation/pin-options';
import { hopsOfAttestation } from '@/lib/client/private-chat';
import { describeHops } from '../verify-attestation/describe-hops';
import { describeChecks, keyFact } from '../verify-attestation/describe-served';
import { SENTENCES } from '../verify-attestation/sentences';
import type { AnswerCost } from './charge';

/** Formats an attestation: each enclave's checks and measured values, the path of the prompt, and the verdict. */
export function describeAttestation(attestation: Attestation): string {
  const { verdict, claim, model, nonce, latencyMs, verifyMs } = attestation;
  const { conclusion, reason, measurements } = verdict;
  const facts = [
    ['Model', model],
    ['Nonce', nonce],
    keyFact(verdict),
    ...measurementFacts(measurements),
    ['Took', `${Math.round(latencyMs)} ms to fetch, ${Math.round(verifyMs)} ms to verify`],
    ['The gateway says', claim.verdict ?? (claim.verified === null ? null : `verified: ${claim.verified}`)],
  ].map(([name, value]) => `${name?.padEnd(16)} ${value ?? '–'}`);
  return [
    ...describeChecks(verdict),
    ...facts,
    '',
    describeHops(hopsOfAttestation(attestation, { client: 'program' })),
    SENTENCES[conclusion] + (reason === null ? '' : `: ${reason}`),
    '',
  ].join('\n');
}

export function describeStop({ code, message, detail, hint, isTampering }: PrivateChatError): string {
  const why = detail === null ? '' : `${message.endsWith('.') ? '' : ':'} ${detail}`;
  const option = code === 'ANSWERS_NOT_SIGNED' ? 'With --allow-unsigned the model is asked all the same.\n' : '';
  return `\n${isTampering ? 'STOPPED: ' : ''}${message}${why}\n${hint}\n${option}`;
}

export function describeEnd(
  { usage, finishReason, totalMs }: ChatAnswer,
  signature: SignatureCheck,
  cost: AnswerCost | null,
): string {
  const tokens = usage ? `${usage.promptTokens} + ${usage.completionTokens} tokens` : 'tokens not counted';
  const paid = cost === null ? 'cost not known' : `${cost.usd} USD ${cost.isCharged ? 'charged' : 'by the price list'}`;
  return `\n${describeSignature(signature)}\n${tokens}, ${paid}, ${(totalMs / 1_000).toFixed(1)} s${finishReason === 'stop' || finishReason === null ? '' : `, ended by ${finishReason}`}\n`;
}

export function describeSignature({
  outcome,
  reason,
  signer,
  attestedAddress,
  requestHash,
  responseHash,
}: SignatureCheck): string {
  if (outcome === 'verified')
    return `Signature VERIFIED: ${signer} signed request ${short(requestHash)} and response ${short(responseHash)}`;
  if (outcome === 'sealed') return `VOUCHED FOR BY ITS ENCRYPTION: ${reason}`;
  if (outcome === 'sealed-pieces') return `VOUCHED FOR PIECE BY PIECE, BY ITS ENCRYPTION: ${reason}`;
  if (outcome === 'attested-after') return `Signature BY A KEY ATTESTED AFTERWARDS: ${reason}`;
  if (outcome === 'missing' && attestedAddress === '') return `NOT SIGNED: ${reason}`;
  return `Signature ${outcome === 'invalid' ? 'INVALID' : 'MISSING'}: ${reason ?? 'nothing is known of it'}`;
}

/** Converts an attestation to JSON, without its report, which `--export` stores. */
export function attestationJson(attestation: Attestation) {
  const { verdict, claim, model, nonce } = attestation;
  const { key, ...rest } = verdict;
  return {
    model,
    nonce,
    ...rest,
    key: key && { address: key.address, publicKey: key.publicKey && bytesToHex(key.publicKey) },
    hops: hopsOfAttestation(attestation, { client: 'program' }),
    gatewayClaims: claim,
  };
}

function short(hash: string): string {
  return `${hash.slice(0, 12)}…`;
}

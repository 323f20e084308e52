import type { Attestation, ChatAnswer, PrivateChatError, SignatureCheck } from '@/lib/client/private-chat';
import { bytesToHex } from '@noble/hashes/utils.js';
import { measurementFacts } from '../verify-attestation/pin-options';
import { describeCheck, SENTENCES } from '../verify-attestation/sentences';
import type { AnswerCost } from './charge';

/** An attestation for people: each check, what stands in it, and what it comes to. */
export function describeAttestation({ verdict, claim, model, nonce, latencyMs, verifyMs }: Attestation): string {
  const { checks, conclusion, reason, key, measurements } = verdict;
  const facts = [
    ['Model', model],
    ['Nonce', nonce],
    ['Signing address', key?.address ?? null],
    ...measurementFacts(measurements),
    ['Took', `${Math.round(latencyMs)} ms to fetch, ${Math.round(verifyMs)} ms to verify`],
    ['The gateway says', claim.verdict ?? (claim.verified === null ? null : `verified: ${claim.verified}`)],
  ].map(([name, value]) => `${name?.padEnd(16)} ${value ?? '–'}`);
  return [...checks.map(describeCheck), '', ...facts, '', SENTENCES[conclusion] + (reason === null ? '' : `: ${reason}`), ''].join('\n');
}

/** What stopped a chat, and what to do about it. */
export function describeStop({ message, detail, hint, isTampering }: PrivateChatError): string {
  return `\n${isTampering ? 'STOPPED: ' : ''}${message}${detail === null ? '' : `: ${detail}`}\n${hint}\n`;
}

/** The end of an answer: signature, tokens, cost. */
export function describeEnd({ usage, finishReason, totalMs }: ChatAnswer, signature: SignatureCheck, cost: AnswerCost | null): string {
  const tokens = usage ? `${usage.promptTokens} + ${usage.completionTokens} tokens` : 'tokens not counted';
  const paid = cost === null ? 'cost not known' : `${cost.usd} USD ${cost.isCharged ? 'charged' : 'by the price list'}`;
  return `\n${describeSignature(signature)}\n${tokens}, ${paid}, ${(totalMs / 1_000).toFixed(1)} s${finishReason === 'stop' || finishReason === null ? '' : `, ended by ${finishReason}`}\n`;
}

export function describeSignature({ outcome, reason, signer, requestHash, responseHash }: SignatureCheck): string {
  if (outcome === 'verified') return `Signature VERIFIED: ${signer} signed request ${short(requestHash)} and response ${short(responseHash)}`;
  if (outcome === 'sealed') return `VOUCHED FOR BY ITS ENCRYPTION: ${reason}`;
  if (outcome === 'sealed-pieces') return `VOUCHED FOR PIECE BY PIECE, BY ITS ENCRYPTION: ${reason}`;
  if (outcome === 'attested-after') return `Signature BY A KEY ATTESTED AFTERWARDS: ${reason}`;
  return `Signature ${outcome === 'invalid' ? 'INVALID' : 'MISSING'}: ${reason ?? 'nothing is known of it'}`;
}

/** An attestation as JSON, without its report, which `--export` keeps. */
export function attestationJson({ verdict, claim, model, nonce }: Attestation) {
  const { key, ...rest } = verdict;
  return { model, nonce, ...rest, key: key && { address: key.address, publicKey: key.publicKey && bytesToHex(key.publicKey) }, gatewayClaims: claim };
}

function short(hash: string): string {
  return `${hash.slice(0, 12)}…`;
}

import { utf8ToBytes } from '@noble/hashes/utils.js';
import { CheckFailed } from '../check-list';
import type { AttestationPolicy } from '../policy';
import { Untrusted, verifyEndEntity } from '../x509/chain';
import { isSignedBy } from '../x509/signature-algorithm';
import type { TrustedChain } from './trusted-chain';

/** The parts that TCB info and QE identity share. */
interface DatedDocument {
  issueDateMs: number;
  nextUpdateMs: number;
  evaluationDataNumber: number;
}

/** A document of Intel's with its signature and the chain of who signed it. */
export interface SignedText {
  text: string;
  /** r ‖ s. */
  signature: Uint8Array;
  signer: TrustedChain;
  /** The root of the processor's own chain: a document of another root says nothing about it. */
  root: TrustedChain['root'];
}

/**
 * Sees that a document is signed by its issuer, then reads it and sees that it is of this time.
 *
 * @throws {Untrusted} where the signature is not the issuer's; {CheckFailed} for one that is stale, of the future, or of an older evaluation than the policy wants
 */
export async function readSignedDocument<T extends DatedDocument>(
  { text, signature, signer, root }: SignedText,
  parse: (text: string) => T,
  policy: AttestationPolicy,
  nowMs: number,
): Promise<T> {
  if (signer.root !== root) throw new Untrusted('The document and the processor descend from different roots.');
  const { leaf } = signer;
  verifyEndEntity(leaf);
  if (!(await isSignedBy(leaf.publicKey, 'ecdsa-sha256', utf8ToBytes(text), signature, 'compact')))
    throw new Untrusted(`The document is not signed by ${leaf.subjectText}.`);
  const document = parse(text);
  const evidence = documentEvidence(document);
  if (nowMs < document.issueDateMs) throw new CheckFailed('The document is from the future.', evidence);
  if (nowMs > document.nextUpdateMs)
    throw new CheckFailed(`The document expired at ${new Date(document.nextUpdateMs).toISOString()}.`, evidence);
  if (document.evaluationDataNumber < policy.evaluationDataNumberMin)
    throw new CheckFailed('The document is of an older evaluation than is accepted.', evidence);
  return document;
}

/** What people are shown of a document. */
export function documentEvidence({ issueDateMs, nextUpdateMs, evaluationDataNumber }: DatedDocument) {
  return {
    issued: new Date(issueDateMs).toISOString(),
    validUntil: new Date(nextUpdateMs).toISOString(),
    evaluationDataNumber,
  };
}

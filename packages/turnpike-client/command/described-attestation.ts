import { bytesToHex } from '@noble/hashes/utils.js';
import { type Attestation, hopsOfAttestation } from '@/lib/client/private-chat';
import type { Hop } from '@/lib/protocol/attestation/hop';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import { describeChecks, describeFacts, type Fact, keyFact, measurementFacts } from './described-checks';
import { describeHops, describeVerdict } from './described-privacy';

interface DescribedReport {
  verdict: ServedVerdict;
  model: string | null;
  nonce: string | null;
  hops: readonly Hop[];
  /** Additional facts to show. */
  facts: readonly Fact[];
}

/** Formats a report: each enclave's checks and measurements, the prompt's path, and the verdict. */
export function describeServed({ verdict, model, nonce, hops, facts }: DescribedReport): string {
  return [
    ...describeChecks(verdict),
    ...describeFacts([
      ['Model', model],
      ['Nonce', nonce],
      keyFact(verdict),
      ...measurementFacts(verdict.measurements),
      ...facts,
    ]),
    '',
    ...describeHops(hops),
    describeVerdict({ model, verdict }),
    '',
  ].join('\n');
}

/** Formats an attestation. @param gateway host for the prompt's path */
export function describeAttestation(attestation: Attestation, gateway: string, facts: readonly Fact[] = []): string {
  const { verdict, claim, model, nonce, latencyMs, verifyMs } = attestation;
  return describeServed({
    verdict,
    model,
    nonce,
    hops: hopsOfAttestation(attestation, { client: 'program', gateway }),
    facts: [
      ['Took', `${Math.round(latencyMs)} ms to fetch, ${Math.round(verifyMs)} ms to verify`],
      ['The gateway says', claim.verdict ?? (claim.verified === null ? null : `verified: ${claim.verified}`)],
      ...facts,
    ],
  });
}

/** Converts an attestation to JSON, without its report, which `--export` stores. */
export function attestationJson(attestation: Attestation, gateway: string) {
  const { verdict, claim, model, nonce } = attestation;
  const { key, ...rest } = verdict;
  return {
    model,
    nonce,
    ...rest,
    key: key && { address: key.address, publicKey: key.publicKey && bytesToHex(key.publicKey) },
    hops: hopsOfAttestation(attestation, { client: 'program', gateway }),
    gatewayClaims: claim,
  };
}

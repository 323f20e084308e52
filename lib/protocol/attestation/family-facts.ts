/**
 * Properties of the enclaves behind one format of attestation report. Not in the adapters, so that `hops.ts` loads no
 * adapter.
 */
interface FamilyFacts {
  /** True if the enclaves terminate TLS with an attested key. */
  endsTls: boolean;
  /** Signature algorithms that a caller may request for answers. */
  signsAnswersBy: readonly ('ecdsa' | 'ed25519')[];
}

export const FAMILY_FACTS = {
  'near-ecdsa': { endsTls: false, signsAnswersBy: ['ecdsa', 'ed25519'] },
  'near-ed25519': { endsTls: true, signsAnswersBy: ['ed25519'] },
  'near-cloud': { endsTls: true, signsAnswersBy: ['ecdsa', 'ed25519'] },
  'phala-cloud': { endsTls: false, signsAnswersBy: [] },
  chutes: { endsTls: true, signsAnswersBy: [] },
  tinfoil: { endsTls: true, signsAnswersBy: [] },
} as const satisfies Readonly<Record<string, FamilyFacts>>;

export type FamilyName = keyof typeof FAMILY_FACTS;

export function factsOf(family: string | null): FamilyFacts | null {
  return family !== null && Object.hasOwn(FAMILY_FACTS, family) ? FAMILY_FACTS[family as FamilyName] : null;
}

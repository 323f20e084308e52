/**
 * What holds of every enclave of a family, beside how its reports are read (`family.ts`). It stands apart from the
 * adapters, since hops are told in sentences where no report is read, and adapters load only where one is.
 */
export interface FamilyFacts {
  /** Whether its enclaves end TLS themselves, by a key that their report data speaks for. */
  endsTls: boolean;
  /** The algorithms of which it signs single answers with the key of its report, where it is asked for them. */
  signsAnswersBy: readonly ('ecdsa' | 'ed25519')[];
}

/** Every family, in the order in which descriptions name them. */
export const FAMILY_FACTS = {
  'near-ecdsa': { endsTls: false, signsAnswersBy: ['ecdsa', 'ed25519'] },
  'near-ed25519': { endsTls: true, signsAnswersBy: ['ed25519'] },
  'near-cloud': { endsTls: true, signsAnswersBy: ['ecdsa', 'ed25519'] },
  'phala-cloud': { endsTls: false, signsAnswersBy: [] },
  chutes: { endsTls: true, signsAnswersBy: [] },
  tinfoil: { endsTls: true, signsAnswersBy: [] },
} as const satisfies Readonly<Record<string, FamilyFacts>>;

/** What a family is called: lower case, with hyphens. */
export type FamilyName = keyof typeof FAMILY_FACTS;

/** The facts of a family; null for none that is known. */
export function factsOf(family: string | null): FamilyFacts | null {
  return family !== null && Object.hasOwn(FAMILY_FACTS, family) ? FAMILY_FACTS[family as FamilyName] : null;
}

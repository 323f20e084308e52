import type { TrustedRoot } from '../trusted-roots';
import type { Certificate } from '../x509/certificate';
import { rootOfChain, Untrusted, verifyChain } from '../x509/chain';
import { parsePemCertificates } from '../x509/pem';

/** Chain to a trusted root. Validity and revocation are not checked yet. */
export interface TrustedChain {
  leaf: Certificate;
  /** Leaf first, root last. */
  certificates: Certificate[];
  root: TrustedRoot;
}

/**
 * Verifies that a chain leads to one of the roots.
 *
 * @param length required length of the chain, including the root
 * @throws {Untrusted}
 */
export async function followChain(
  chain: readonly Certificate[],
  roots: readonly TrustedRoot[],
  length: number,
): Promise<TrustedChain> {
  const certificate = rootOfChain(
    chain,
    roots.map((root) => root.certificate),
  );
  const root = roots.find((candidate) => candidate.certificate === certificate);
  if (!certificate || !root)
    throw new Untrusted(
      `The chain does not lead to a trusted root; it ends at ${chain.at(-1)?.subjectText ?? 'nothing'}.`,
    );
  const certificates = await verifyChain(chain, certificate);
  if (certificates.length !== length)
    throw new Untrusted(`The chain has ${certificates.length} certificates instead of ${length}.`);
  return { leaf: certificates[0] as Certificate, certificates, root };
}

/** Returns a function that verifies a PEM issuer chain and caches the result. */
export function pemChainReader(roots: readonly TrustedRoot[]): (pem: string) => Promise<TrustedChain> {
  const known = new Map<string, TrustedChain>();
  return async (pem) => {
    const chain = known.get(pem) ?? (await followChain(parsePemCertificates(pem), roots, 2));
    known.set(pem, chain);
    return chain;
  };
}

import { Malformed } from '../malformed';
import { parseQuote } from '../quote/quote';
import type { TrustedRoot } from '../trusted-roots';
import { readPckPlatform } from './pck-extension';
import { followChain } from './trusted-chain';

/** For which platform collateral is published: its family, and which of Intel's two authorities certified it. */
export interface QuotedPlatform {
  /** 12 upper-case hex characters. */
  fmspc: string;
  authority: 'processor' | 'platform';
}

const PCK_CHAIN_LENGTH = 3;

/**
 * Reads from a quote which collateral it takes to check it. The certificate of its processor must lead to a trusted
 * root, so that nobody who makes bytes up decides what is asked for.
 *
 * @throws {Malformed | Untrusted}
 */
export async function quotedPlatform(quoteBytes: Uint8Array, roots: readonly TrustedRoot[]): Promise<QuotedPlatform> {
  const { leaf } = await followChain(parseQuote(quoteBytes).pckChain, roots, PCK_CHAIN_LENGTH);
  const authority = / PCK (Processor|Platform) CA\b/.exec(leaf.issuerText)?.[1]?.toLowerCase();
  if (authority !== 'processor' && authority !== 'platform')
    throw new Malformed(
      'The processor is certified by neither of the two authorities for which revocation lists are published.',
    );
  return { fmspc: readPckPlatform(leaf).fmspc, authority };
}

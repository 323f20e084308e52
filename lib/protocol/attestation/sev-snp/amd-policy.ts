import { AMD_AUTHORITIES, type AmdAuthority } from './amd-authorities';
import { TCB_MINIMA, type TcbMinimum } from './tcb-version';

/** Of AMD what a verifier takes for good. */
export interface AmdPolicy {
  authorities: readonly AmdAuthority[];
  tcbMinima: readonly TcbMinimum[];
}

/** AMD's own roots, and the levels that its bulletins ask for. */
export const DEFAULT_AMD_POLICY: AmdPolicy = { authorities: AMD_AUTHORITIES, tcbMinima: TCB_MINIMA };

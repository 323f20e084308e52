import { AMD_AUTHORITIES, type AmdAuthority } from './amd-authorities';
import { TCB_MINIMA, type TcbMinimum } from './tcb-version';

export interface AmdPolicy {
  authorities: readonly AmdAuthority[];
  tcbMinima: readonly TcbMinimum[];
}

/** AMD's own roots, and the minimum TCB levels of AMD's security bulletin AMD-SB-3019. */
export const DEFAULT_AMD_POLICY: AmdPolicy = { authorities: AMD_AUTHORITIES, tcbMinima: TCB_MINIMA };
